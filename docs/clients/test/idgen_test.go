// Compares idgen.go with vectors.json.
package idgen

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"strings"
	"testing"
)

func number(t *testing.T, text string) int64 {
	t.Helper()
	var id int64
	if err := json.Unmarshal([]byte(text), &id); err != nil {
		t.Fatal(err)
	}
	return id
}

func TestVectors(t *testing.T) {
	type id struct {
		ID, Text                             string
		Millis, Datacenter, Worker, Sequence int64
	}
	var vectors struct {
		Layouts []struct {
			Name string
			Layout
			IDs   []id
			NoIDs []string
		}
		Texts     []map[string]string
		NoTexts   []struct{ Form, Text string }
		PublicIDs []struct {
			Prefix, Key   string
			Version, Bits int
			IDs           []id
			NoTexts       []string
		}
	}
	file, err := os.ReadFile(os.Getenv("VECTORS"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(file, &vectors); err != nil {
		t.Fatal(err)
	}
	for _, v := range vectors.Layouts {
		if v.Name == "idgen" && v.Layout != IDGEN {
			t.Error(v.Layout)
		}
		for _, want := range v.IDs {
			parts, err := Decode(number(t, want.ID), v.Layout)
			if err != nil || parts != (Parts{want.Millis, want.Datacenter, want.Worker, want.Sequence}) {
				t.Error(v.Name, want, parts, err)
			}
		}
		for _, no := range v.NoIDs {
			if parts, err := Decode(number(t, no), v.Layout); err == nil {
				t.Error(v.Name, no, parts)
			}
		}
	}
	for _, v := range vectors.Texts {
		for form := range forms {
			if id, err := FromText(v[form], form); err != nil || id != number(t, v["id"]) {
				t.Error(v, form, id, err)
			}
		}
	}
	for _, v := range vectors.NoTexts {
		if id, err := FromText(v.Text, v.Form); err == nil {
			t.Error(v, id)
		}
	}
	for _, v := range vectors.PublicIDs {
		key, _ := hex.DecodeString(v.Key)
		keys := map[int][]byte{v.Version: key}
		for _, want := range v.IDs {
			for _, text := range []string{want.Text, strings.ToLower(want.Text)} {
				if id, err := FromPublicID(text, v.Prefix, keys, v.Bits); err != nil || id != number(t, want.ID) {
					t.Error(text, id, err)
				}
			}
		}
		for _, text := range v.NoTexts {
			if id, err := FromPublicID(text, v.Prefix, keys, v.Bits); err == nil {
				t.Error(text, id)
			}
		}
	}
}
