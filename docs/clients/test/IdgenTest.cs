// Compares Idgen.cs with vectors.json, whose path is the argument.
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Web.Script.Serialization;
using Json = System.Collections.Generic.Dictionary<string, object>;

public static class IdgenTest
{
    private static int failed;

    public static int Main(string[] arguments)
    {
        var vectors = new JavaScriptSerializer().Deserialize<Json>(File.ReadAllText(arguments[0]));
        foreach (Json v in List(vectors, "layouts"))
        {
            var layout = new Idgen.Layout
            {
                EpochMillis = Number(v, "epochMillis"), TickMillis = Number(v, "tickMillis"),
                TimeBits = (int) Number(v, "timeBits"), DatacenterBits = (int) Number(v, "datacenterBits"),
                WorkerBits = (int) Number(v, "workerBits"), SequenceBits = (int) Number(v, "sequenceBits"),
                SequenceAboveWorker = (bool) v["sequenceAboveWorker"],
            };
            if ((string) v["name"] == "idgen")
            {
                Same(Idgen.Default, () => layout);
            }
            foreach (Json id in List(v, "ids"))
            {
                var parts = new Idgen.Parts
                {
                    Millis = Number(id, "millis"), Datacenter = Number(id, "datacenter"),
                    Worker = Number(id, "worker"), Sequence = Number(id, "sequence"),
                };
                Same(parts, () => Idgen.Decode(Number(id, "id"), layout));
            }
            foreach (string id in List(v, "noIds"))
            {
                Refused(() => Idgen.Decode(long.Parse(id), layout));
            }
        }
        foreach (Json v in List(vectors, "texts"))
        {
            foreach (var form in v.Keys.Where(key => key != "id"))
            {
                Same(Number(v, "id"), () => Idgen.FromText((string) v[form], form));
            }
        }
        foreach (Json v in List(vectors, "noTexts"))
        {
            Refused(() => Idgen.FromText((string) v["text"], (string) v["form"]));
        }
        foreach (Json v in List(vectors, "publicIds"))
        {
            string hex = (string) v["key"], prefix = (string) v["prefix"];
            byte[] key = Enumerable.Range(0, hex.Length / 2).Select(i => Convert.ToByte(hex.Substring(2 * i, 2), 16)).ToArray();
            var keys = new Dictionary<int, byte[]> { [(int) Number(v, "version")] = key };
            int bits = (int) Number(v, "bits");
            foreach (Json id in List(v, "ids"))
            {
                string text = (string) id["text"];
                Same(Number(id, "id"), () => Idgen.FromPublicId(text, prefix, keys, bits));
                Same(Number(id, "id"), () => Idgen.FromPublicId(text.ToLowerInvariant(), prefix, keys, bits));
            }
            foreach (string text in List(v, "noTexts"))
            {
                Refused(() => Idgen.FromPublicId(text, prefix, keys, bits));
            }
        }
        return failed;
    }

    private static System.Collections.ArrayList List(Json json, string name)
    {
        return (System.Collections.ArrayList) json[name];
    }

    private static long Number(Json json, string name)
    {
        return Convert.ToInt64(json[name]);
    }

    private static void Same<T>(T want, Func<T> call)
    {
        T got = call();
        Check(want.Equals(got), $"wanted {want}, got {got}");
    }

    private static void Refused<T>(Func<T> call)
    {
        try
        {
            Check(false, $"not refused: {call()}");
        }
        catch (FormatException)
        {
            // as it should be
        }
    }

    private static void Check(bool right, string message)
    {
        if (!right)
        {
            Console.Error.WriteLine(message);
            failed = 1;
        }
    }
}
