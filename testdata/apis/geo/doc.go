// Package geo describes places on the map: positions, areas and the surfaces a robot may move on.
// It belongs to no API group; the groups of the fleet share its types.
package geo
