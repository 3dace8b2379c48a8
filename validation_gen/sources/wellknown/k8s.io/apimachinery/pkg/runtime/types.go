// Package runtime holds what decoding needs to know of k8s.io/apimachinery/pkg/runtime.
package runtime

type TypeMeta struct {
	APIVersion string `json:"apiVersion,omitempty"`
	Kind       string `json:"kind,omitempty"`
}

type Object interface{}

type RawExtension struct {
	Raw    []byte `json:"-"`
	Object Object `json:"-"`
}

type Unknown struct {
	TypeMeta        `json:",inline"`
	Raw             []byte `json:"-"`
	ContentEncoding string
	ContentType     string
}

const (
	ContentTypeJSON         string = "application/json"
	ContentTypeYAML         string = "application/yaml"
	ContentTypeProtobuf     string = "application/vnd.kubernetes.protobuf"
	ContentTypeCBOR         string = "application/cbor"
	ContentTypeCBORSequence string = "application/cbor-seq"
)

func (*RawExtension) UnmarshalJSON([]byte) error
func (*Unknown) UnmarshalJSON([]byte) error
