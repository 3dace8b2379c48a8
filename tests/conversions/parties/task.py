"""Task of Tekton between v1beta1 and v1, as `crd new-conversion` has begun it: nothing had to be changed."""

from validation_gen.conversions import Conversion, Only, Rename

TASK_V1BETA1_V1 = Conversion(
    "v1beta1",
    "v1",
    kind="Task",
    group="tekton.dev",
    moves=[
        # These look as if they were renamed or moved. Is it so?
        Rename("spec.sidecars[*].resources", "computeResources"),
        Rename("spec.stepTemplate.resources", "computeResources"),
        Rename("spec.steps[*].resources", "computeResources"),
        # v1beta1 alone has these. Objects of v1 keep them in an annotation: convert
        # what has a counterpart there.
        Only("v1beta1", "spec.resources"),
        Only("v1beta1", "spec.stepTemplate.lifecycle"),
        Only("v1beta1", "spec.stepTemplate.livenessProbe"),
        Only("v1beta1", "spec.stepTemplate.name"),
        Only("v1beta1", "spec.stepTemplate.ports"),
        Only("v1beta1", "spec.stepTemplate.readinessProbe"),
        Only("v1beta1", "spec.stepTemplate.startupProbe"),
        Only("v1beta1", "spec.stepTemplate.stdin"),
        Only("v1beta1", "spec.stepTemplate.stdinOnce"),
        Only("v1beta1", "spec.stepTemplate.terminationMessagePath"),
        Only("v1beta1", "spec.stepTemplate.terminationMessagePolicy"),
        Only("v1beta1", "spec.stepTemplate.tty"),
        Only("v1beta1", "spec.steps[*].lifecycle"),
        Only("v1beta1", "spec.steps[*].livenessProbe"),
        Only("v1beta1", "spec.steps[*].ports"),
        Only("v1beta1", "spec.steps[*].readinessProbe"),
        Only("v1beta1", "spec.steps[*].startupProbe"),
        Only("v1beta1", "spec.steps[*].stdin"),
        Only("v1beta1", "spec.steps[*].stdinOnce"),
        Only("v1beta1", "spec.steps[*].terminationMessagePath"),
        Only("v1beta1", "spec.steps[*].terminationMessagePolicy"),
        Only("v1beta1", "spec.steps[*].tty"),
    ],
)
