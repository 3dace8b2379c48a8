package geo

// Position is a point on the surface of the earth in the WGS 84 reference system.
//
// Coordinates are integers because floating point numbers do not survive every JSON implementation unchanged.
// They are pointers because zero is a good latitude: the equator is not a missing value.
type Position struct {
	// latitude counts millionths of a degree northwards from the equator.
	// +required
	// +k8s:required
	// +k8s:minimum=-90000000
	Latitude *int32 `json:"latitude"`

	// longitude counts millionths of a degree eastwards from the prime meridian.
	// +required
	// +k8s:required
	// +k8s:minimum=-180000000
	Longitude *int32 `json:"longitude"`

	// floor is the storey of the building, counted from the ground floor, which is 0. Robots do not
	// enter basements: their radio does not reach there.
	// +optional
	// +k8s:optional
	// +k8s:minimum=0
	Floor *int32 `json:"floor,omitempty"`
}

// Corners are the corner points of an area in the order in which one walks around it.
// The same corner may be passed twice, so this is no set.
// +k8s:listType=atomic
// +k8s:maxItems=64
type Corners []Position

// Area is a polygon with a name.
type Area struct {
	// name says which zone this is.
	// +required
	// +k8s:required
	Name ZoneName `json:"name"`

	// corners bound the area. The last one is connected to the first one.
	// +required
	// +k8s:required
	Corners Corners `json:"corners"`

	// surfaces lists what the ground is made of within the area.
	// +optional
	// +listType=set
	// +k8s:optional
	// +k8s:listType=set
	Surfaces []Surface `json:"surfaces,omitempty"`
}

// ZoneName names a zone of a city, for example "old-town".
// +k8s:format=k8s-short-name
// +k8s:maxLength=40
type ZoneName string

// Surface is a kind of ground that a robot may move on.
// +enum
// +k8s:enum
type Surface string

const (
	// SurfacePavement is a footway. Robots go at walking speed here.
	SurfacePavement Surface = "Pavement"
	// SurfaceBikeLane is a lane for bicycles.
	SurfaceBikeLane Surface = "BikeLane"
	// SurfaceIndoor is the inside of a building.
	SurfaceIndoor Surface = "Indoor"
)
