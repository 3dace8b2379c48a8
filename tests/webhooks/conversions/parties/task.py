"""Task of Tekton between v1beta1 and v1, as `crd new-conversion` has begun it: nothing had to be changed."""

from validation_gen.webhooks.conversions import Conversion, FieldOnlyIn, Rename

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
        FieldOnlyIn("v1beta1", "spec.resources"),
        FieldOnlyIn("v1beta1", "spec.stepTemplate.lifecycle"),
        FieldOnlyIn("v1beta1", "spec.stepTemplate.livenessProbe"),
        FieldOnlyIn("v1beta1", "spec.stepTemplate.name"),
        FieldOnlyIn("v1beta1", "spec.stepTemplate.ports"),
        FieldOnlyIn("v1beta1", "spec.stepTemplate.readinessProbe"),
        FieldOnlyIn("v1beta1", "spec.stepTemplate.startupProbe"),
        FieldOnlyIn("v1beta1", "spec.stepTemplate.stdin"),
        FieldOnlyIn("v1beta1", "spec.stepTemplate.stdinOnce"),
        FieldOnlyIn("v1beta1", "spec.stepTemplate.terminationMessagePath"),
        FieldOnlyIn("v1beta1", "spec.stepTemplate.terminationMessagePolicy"),
        FieldOnlyIn("v1beta1", "spec.stepTemplate.tty"),
        FieldOnlyIn("v1beta1", "spec.steps[*].lifecycle"),
        FieldOnlyIn("v1beta1", "spec.steps[*].livenessProbe"),
        FieldOnlyIn("v1beta1", "spec.steps[*].ports"),
        FieldOnlyIn("v1beta1", "spec.steps[*].readinessProbe"),
        FieldOnlyIn("v1beta1", "spec.steps[*].startupProbe"),
        FieldOnlyIn("v1beta1", "spec.steps[*].stdin"),
        FieldOnlyIn("v1beta1", "spec.steps[*].stdinOnce"),
        FieldOnlyIn("v1beta1", "spec.steps[*].terminationMessagePath"),
        FieldOnlyIn("v1beta1", "spec.steps[*].terminationMessagePolicy"),
        FieldOnlyIn("v1beta1", "spec.steps[*].tty"),
    ],
)
