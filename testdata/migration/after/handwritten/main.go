// The validation of reservations, as it was written before there were tags. It answers requests line by line.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

const (
	mostGuests   = 20
	mostHeaters  = 4
	mostCourses  = 8
	longestNotes = 200
	longestName  = 40
)

var (
	seatings = []string{"Bar", "Inside", "Terrace"}
	table    = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$`)
)

// Reservation is what is looked at of a reservation.
type Reservation struct {
	Spec Spec `json:"spec"`
}

// Spec is what guests have asked for.
type Spec struct {
	Table   string   `json:"table"`
	Guests  int32    `json:"guests"`
	Seating string   `json:"seating"`
	Notes   string   `json:"notes"`
	Courses []Course `json:"courses"`
	Heaters int32    `json:"heaters"`
}

// Course is a part of a meal.
type Course struct {
	Name   string `json:"name"`
	Dishes int32  `json:"dishes"`
}

// Error is one error of a reservation.
type Error struct {
	Type     string `json:"type"`
	Field    string `json:"field"`
	BadValue any    `json:"badValue"`
	Detail   string `json:"detail"`
	Origin   string `json:"origin"`
}

// validate returns the errors of a reservation. On update only those of fields that differ from the old ones; old is
// nil if nobody knows them.
func validate(obj, old *Reservation, update bool) []Error {
	errors := []Error{}
	spec, was := obj.Spec, Spec{}
	known := update && old != nil
	if known {
		was = old.Spec
	}
	if !known || spec.Table != was.Table {
		errors = append(errors, validateTable(spec.Table, update, "spec.table")...)
	}
	if !known || spec.Guests != was.Guests {
		errors = append(errors, validateGuests(spec.Guests, "spec.guests")...)
	}
	if !known || spec.Seating != was.Seating {
		errors = append(errors, validateSeating(spec.Seating, "spec.seating")...)
	}
	if !known || spec.Notes != was.Notes {
		errors = append(errors, validateNotes(spec.Notes, "spec.notes")...)
	}
	if !known || !equal(spec.Courses, was.Courses) {
		errors = append(errors, validateCourses(spec.Courses, was.Courses, "spec.courses")...)
	}
	if !known || spec.Heaters != was.Heaters {
		errors = append(errors, validateHeaters(spec.Heaters, "spec.heaters")...)
	}
	return errors
}

func validateTable(name string, update bool, path string) []Error {
	errors := []Error{}
	if update {
		errors = append(errors, invalid(path, name, "a reservation keeps its table", "immutable"))
	}
	if name == "" {
		errors = append(errors, required(path))
	} else if !update && !table.MatchString(name) {
		detail := "must be the name of a table, such as window-2"
		errors = append(errors, invalid(path, name, detail, "format=k8s-short-name"))
	}
	return errors
}

func validateGuests(guests int32, path string) []Error {
	switch {
	case guests == 0:
		return []Error{required(path)}
	case guests < 1:
		return []Error{invalid(path, guests, "must be at least 1", "minimum")}
	case guests > mostGuests:
		return []Error{invalid(path, guests, fmt.Sprintf("must be at most %d", mostGuests), "maximum")}
	}
	return nil
}

func validateSeating(seating, path string) []Error {
	if seating == "" {
		return nil
	}
	quoted := []string{}
	for _, each := range seatings {
		if seating == each {
			return nil
		}
		quoted = append(quoted, strconv.Quote(each))
	}
	detail := "supported values: " + strings.Join(quoted, ", ")
	return []Error{{Type: "FieldValueNotSupported", Field: path, BadValue: seating, Detail: detail}}
}

func validateNotes(notes, path string) []Error {
	if utf8.RuneCountInString(notes) > longestNotes {
		return []Error{tooLong(path, longestNotes)}
	}
	return nil
}

func validateHeaters(heaters int32, path string) []Error {
	if heaters > mostHeaters {
		return []Error{invalid(path, heaters, fmt.Sprintf("must be at most %d", mostHeaters), "maximum")}
	}
	return nil
}

func validateCourses(courses, old []Course, path string) []Error {
	if len(courses) > mostCourses {
		detail := fmt.Sprintf("must have at most %d items", mostCourses)
		return []Error{{"FieldValueTooMany", path, len(courses), detail, "maxItems"}}
	}
	before := map[string]int32{}
	for _, course := range old {
		if _, known := before[course.Name]; !known {
			before[course.Name] = course.Dishes
		}
	}
	errors := []Error{}
	seen := map[string]bool{}
	for i, course := range courses {
		at := fmt.Sprintf("%s[%d]", path, i)
		if seen[course.Name] {
			errors = append(errors, duplicate(at, course.Name))
		}
		seen[course.Name] = true
		dishes, known := before[course.Name]
		if !known {
			errors = append(errors, validateCourseName(course.Name, at+".name")...)
		}
		if !known || dishes != course.Dishes {
			errors = append(errors, validateDishes(course.Dishes, at+".dishes")...)
		}
	}
	return errors
}

func validateCourseName(name, path string) []Error {
	if name == "" {
		return []Error{required(path)}
	}
	if utf8.RuneCountInString(name) > longestName {
		return []Error{tooLong(path, longestName)}
	}
	return nil
}

func validateDishes(dishes int32, path string) []Error {
	switch {
	case dishes == 0:
		return []Error{required(path)}
	case dishes < 1:
		return []Error{invalid(path, dishes, "must be at least 1", "minimum")}
	}
	return nil
}

func equal(a, b []Course) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func required(path string) Error {
	return Error{Type: "FieldValueRequired", Field: path, BadValue: ""}
}

func invalid(path string, value any, detail, origin string) Error {
	return Error{"FieldValueInvalid", path, value, detail, origin}
}

func duplicate(path, value string) Error {
	return Error{Type: "FieldValueDuplicate", Field: path, BadValue: value}
}

func tooLong(path string, limit int) Error {
	detail := fmt.Sprintf("may not be more than %d characters", limit)
	return Error{"FieldValueTooLong", path, "<value omitted>", detail, "maxLength"}
}

// Request is what is asked, one in each line.
type Request struct {
	ID   json.RawMessage `json:"id"`
	Kind string          `json:"kind"`
	Op   string          `json:"op"`
	Obj  *Reservation    `json:"obj"`
	Old  *Reservation    `json:"oldObj"`
}

// answer returns the answer to a line.
func answer(line []byte) any {
	var request Request
	if err := json.Unmarshal(line, &request); err != nil {
		return map[string]any{"id": request.ID, "error": err.Error()}
	}
	if request.Kind != "Reservation" {
		return map[string]any{"id": request.ID, "error": "no kind " + request.Kind}
	}
	if request.Obj == nil {
		request.Obj = &Reservation{}
	}
	errors := validate(request.Obj, request.Old, request.Op == "update")
	return map[string]any{"id": request.ID, "errors": errors}
}

func main() {
	in := bufio.NewReader(os.Stdin)
	out := json.NewEncoder(os.Stdout) // nothing is kept back: every answer is written at once
	for {
		line, err := in.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			if err := out.Encode(answer(line)); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
		}
		if err == io.EOF {
			return
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}
