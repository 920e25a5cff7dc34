// Package idgen decodes ids of idgen.
package idgen

import (
	"crypto/aes"
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"
)

const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

type form struct {
	alphabet string
	length   int
}

var forms = map[string]form{
	"hex":           {"0123456789ABCDEF", 16},
	"base32":        {crockford, 13},
	"base32Checked": {crockford, 13}, // and a check character
	"base62":        {"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", 11},
}

// A Layout counts ticks since the epoch; both are in milliseconds.
type Layout struct {
	EpochMillis, TickMillis                            int64
	TimeBits, DatacenterBits, WorkerBits, SequenceBits int
	SequenceAboveWorker                                bool
}

// IDGEN is the default layout.
var IDGEN = Layout{1704067200000, 1, 41, 5, 5, 12, false}

// Parts are those of an id. Millis counts since 1970.
type Parts struct {
	Millis, Datacenter, Worker, Sequence int64
}

// Decode returns the parts of an id.
func Decode(id int64, layout Layout) (Parts, error) {
	workers := layout.DatacenterBits + layout.WorkerBits
	belowTime := workers + layout.SequenceBits
	if id < 0 || id>>(layout.TimeBits+belowTime) != 0 {
		return Parts{}, fmt.Errorf("%d is no id of this layout", id)
	}
	workerShift, sequenceShift := layout.SequenceBits, 0
	if layout.SequenceAboveWorker {
		workerShift, sequenceShift = 0, workers
	}
	at := func(shift, width int) int64 { return id >> shift & (1<<width - 1) }
	return Parts{
		Millis:     layout.EpochMillis + id>>belowTime*layout.TickMillis,
		Datacenter: at(workerShift+layout.WorkerBits, layout.DatacenterBits),
		Worker:     at(workerShift, layout.WorkerBits),
		Sequence:   at(sequenceShift, layout.SequenceBits),
	}, nil
}

// FromText returns the id that a text stands for. The form is hex, base32, base32Checked or base62.
func FromText(text, name string) (int64, error) {
	form, wrong := forms[name], fmt.Errorf("%q is no id in %s", text, name)
	if len(text) < form.length {
		return 0, wrong
	}
	var id uint64
	for _, c := range []byte(text[:form.length]) {
		if c >= 'a' && c <= 'z' && name != "base62" {
			c -= 'a' - 'A'
		}
		if form.alphabet == crockford {
			c = strings.NewReplacer("O", "0", "I", "1", "L", "1").Replace(string(rune(c)))[0]
		}
		digit := strings.IndexByte(form.alphabet, c)
		high, low := bits.Mul64(id, uint64(len(form.alphabet)))
		if digit < 0 || high != 0 || low+uint64(digit) > math.MaxInt64 {
			return 0, wrong
		}
		id = low + uint64(digit)
	}
	check := ""
	if name == "base32Checked" {
		check = string((crockford + "*~$=U")[id%37])
	}
	if text[form.length:] != check {
		return 0, wrong
	}
	return int64(id), nil
}

// FromPublicID returns the id behind a public id. The keys are by version; the width is 63 or 53, as the permutation
// has.
func FromPublicID(text, prefix string, keys map[int][]byte, width int) (int64, error) {
	end := strings.LastIndexByte(text, '_')
	if prefix != "" {
		prefix += "_"
	}
	for version, key := range keys {
		if end < 0 || strings.ToLower(text[:end]) != prefix+"k"+strconv.Itoa(version) {
			continue
		}
		shown, err := FromText(text[end+1:], "base32")
		if err != nil {
			return 0, err
		}
		if shown>>width != 0 {
			return 0, fmt.Errorf("%q is above %d bits", text, width)
		}
		return restore(uint64(shown), key, width)
	}
	return 0, fmt.Errorf("%q has another prefix, or the version of an unknown key", text)
}

func restore(id uint64, key []byte, width int) (int64, error) {
	cipher, err := aes.NewCipher(key)
	if err != nil {
		return 0, err
	}
	half := (width + 1) / 2
	mask := uint64(1)<<half - 1
	block := make([]byte, 16)
	for again := true; again; again = id>>width != 0 { // the network covers one bit more than an id has
		left, right := id>>half, id&mask
		for round := 9; round >= 0; round-- {
			block = append(append(block[:0], byte(width), byte(round)), make([]byte, 14)...)
			binary.BigEndian.PutUint64(block[8:], left)
			cipher.Encrypt(block, block)
			left, right = right^binary.BigEndian.Uint64(block)&mask, left
		}
		id = left<<half | right
	}
	return int64(id), nil
}
