"""What is said of kinds that nothing judges."""

from __future__ import annotations

from tests.tables import each
from validation_gen.commands.kind_lookup import recognise

DEFINED = frozenset({("example.com/v1", "Robot"), ("example.com/v1beta1", "Robot")})
CRD = "apiextensions.k8s.io/v1"
BUILT_IN = "built-in, no schema here"
NOTHING = "neither built-in nor defined here"


@each(
    ("version", "kind", "reason"),
    [
        ("apps/v1", "Deployment", BUILT_IN),
        ("v1", "ConfigMap", BUILT_IN),
        ("lifecycle.k8s.io/v1alpha1", "Eviction", f"{BUILT_IN}; since 1.37"),
        (CRD, "CustomResourceDefinition", f"{BUILT_IN}; `validation-gen crd lint` checks it"),
        ("apps/v1", "Deploymnt", "no such kind; did you mean Deployment?"),
        ("apps/v1", "deployment", "no such kind; did you mean Deployment?"),
        ("extensions/v1beta1", "Deployment", "not served since 1.16; did you mean apps/v1?"),
        ("policy/v1beta1", "PodSecurityPolicy", "not served since 1.25"),
        ("autoscaling/v2beta2", "HorizontalPodAutoscaler", "not served since 1.26; did you mean autoscaling/v2?"),
        ("v1", "Deployment", "not in this group; did you mean apps/v1?"),
        ("aps/v1", "Deployment", "not in this group; did you mean apps/v1?"),
        ("apps/v2", "Deployment", "not in this version; did you mean apps/v1?"),
        ("rbac.authorization.k8s/v1", "Role", "not in this group; did you mean rbac.authorization.k8s.io/v1?"),
        ("example.com/v9", "Robot", "not in this version; did you mean example.com/v1beta1 or example.com/v1?"),
        ("exampel.com/v1", "Robt", "no such kind; did you mean Robot example.com/v1?"),
        ("example.com/v1", "Robt", "no such kind; did you mean Robot?"),
        ("apps/v1", "Deploymnets", "no such kind; did you mean Deployment?"),
        ("v1", "Srevice", "no such kind; did you mean Service?"),
        ("v1", "Pods", "no such kind; did you mean Pod?"),
        ("v1", "Confgmap", "no such kind; did you mean ConfigMap?"),
        # A kind of another version is no slip of a kind of this one, and neither is what ends alike.
        ("example.com/v1beta1", "Cobot", "no such kind; did you mean Robot?"),
        ("example.com/v1", "SuperRobot", NOTHING),
        # Groups of others have kinds of the same names.
        ("serving.knative.dev/v1", "Service", NOTHING),
        ("networking.istio.io/v1", "Ingress", NOTHING),
        ("a/b/c", "", NOTHING),
        ("v999999999999999999999", "\x00", NOTHING),
    ],
)
def test_kinds(version: str, kind: str, reason: str) -> None:
    found = recognise(version, kind, DEFINED)
    assert found.reason == reason
    assert (found.built_in is not None) == reason.startswith(BUILT_IN)
