using System;
using System.Collections.Generic;
using System.Linq;
using System.Security.Cryptography;

/// <summary>Decodes ids of idgen. Throws a FormatException for what is no id.</summary>
public static class Idgen
{
    /// <summary>Counts ticks since the epoch; both are in milliseconds.</summary>
    public struct Layout
    {
        public long EpochMillis, TickMillis;
        public int TimeBits, DatacenterBits, WorkerBits, SequenceBits;
        public bool SequenceAboveWorker;
    }

    /// <summary>The parts of an id. Millis counts since 1970.</summary>
    public struct Parts
    {
        public long Millis, Datacenter, Worker, Sequence;
    }

    /// <summary>The default layout.</summary>
    public static readonly Layout Default = new Layout
    {
        EpochMillis = 1704067200000, TickMillis = 1,
        TimeBits = 41, DatacenterBits = 5, WorkerBits = 5, SequenceBits = 12,
    };

    private const string Crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

    private static readonly Dictionary<string, (string Alphabet, int Length)> Forms =
        new Dictionary<string, (string, int)>
        {
            ["hex"] = ("0123456789ABCDEF", 16),
            ["base32"] = (Crockford, 13),
            ["base32Checked"] = (Crockford, 13), // and a check character
            ["base62"] = ("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", 11),
        };

    /// <summary>Returns the parts of an id.</summary>
    public static Parts Decode(long id, Layout layout)
    {
        int workers = layout.DatacenterBits + layout.WorkerBits;
        int belowTime = workers + layout.SequenceBits;
        if (id < 0 || (layout.TimeBits + belowTime < 63 && id >> (layout.TimeBits + belowTime) != 0))
        {
            throw new FormatException($"{id} is no id of this layout");
        }
        int workerShift = layout.SequenceAboveWorker ? 0 : layout.SequenceBits;
        int sequenceShift = layout.SequenceAboveWorker ? workers : 0;
        Func<int, int, long> at = (shift, width) => (id >> shift) & ((1L << width) - 1);
        return new Parts
        {
            Millis = layout.EpochMillis + (id >> belowTime) * layout.TickMillis,
            Datacenter = at(workerShift + layout.WorkerBits, layout.DatacenterBits),
            Worker = at(workerShift, layout.WorkerBits),
            Sequence = at(sequenceShift, layout.SequenceBits),
        };
    }

    /// <summary>Returns the id that a text stands for: hex, base32, base32Checked or base62.</summary>
    public static long FromText(string text, string form)
    {
        var (alphabet, length) = Forms[form];
        var wrong = new FormatException($"'{text}' is no id in {form}");
        if (text.Length < length)
        {
            throw wrong;
        }
        ulong id = 0;
        foreach (char c in text.Substring(0, length))
        {
            char written = form != "base62" && c >= 'a' && c <= 'z' ? (char) (c - 'a' + 'A') : c;
            if (alphabet == Crockford)
            {
                written = written == 'O' ? '0' : written == 'I' || written == 'L' ? '1' : written;
            }
            int digit = alphabet.IndexOf(written);
            if (digit < 0 || id > (long.MaxValue - (ulong) digit) / (ulong) alphabet.Length)
            {
                throw wrong;
            }
            id = id * (ulong) alphabet.Length + (ulong) digit;
        }
        string check = form == "base32Checked" ? (Crockford + "*~$=U").Substring((int) (id % 37), 1) : "";
        return text.Substring(length) == check ? (long) id : throw wrong;
    }

    /// <summary>
    /// Returns the id behind a public id. The keys are by version; the bits are 63 or 53, as the permutation has.
    /// </summary>
    public static long FromPublicId(string text, string prefix, IDictionary<int, byte[]> keys, int bits = 63)
    {
        int end = Math.Max(text.LastIndexOf('_'), 0);
        string begin = text.Substring(0, end).ToLowerInvariant();
        foreach (var key in keys.Where(k => begin == (prefix == "" ? "" : prefix + "_") + "k" + k.Key))
        {
            ulong shown = (ulong) FromText(text.Substring(end + 1), "base32");
            return shown >> bits == 0 ? Restore(shown, key.Value, bits)
                : throw new FormatException($"'{text}' is above {bits} bits");
        }
        throw new FormatException($"'{text}' has another prefix, or the version of an unknown key");
    }

    private static long Restore(ulong id, byte[] key, int bits)
    {
        int half = (bits + 1) / 2;
        ulong mask = (1UL << half) - 1;
        using (var aes = new AesManaged { Key = key, Mode = CipherMode.ECB, Padding = PaddingMode.None })
        using (var encryptor = aes.CreateEncryptor())
        {
            do // the network covers one bit more than an id of 63 or 53 bits has: repeat until the result is an id
            {
                ulong left = id >> half, right = id & mask;
                for (int round = 9; round >= 0; round--)
                {
                    byte[] block = { (byte) bits, (byte) round, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 };
                    for (int i = 0; i < 8; i++)
                    {
                        block[8 + i] = (byte) (left >> (56 - 8 * i));
                    }
                    byte[] mixed = encryptor.TransformFinalBlock(block, 0, 16);
                    ulong first = mixed.Take(8).Aggregate(0UL, (sum, b) => sum << 8 | b) & mask;
                    ulong previous = right ^ first;
                    right = left;
                    left = previous;
                }
                id = left << half | right;
            }
            while (id >> bits != 0);
        }
        return (long) id;
    }
}
