package shared

type Arm struct {
	// +k8s:required # // want VG411 "must be true"
	Enabled bool `json:"enabled"`
}
