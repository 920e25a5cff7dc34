//! Compares idgen.rs with vectors.json.

use aes::{cipher::generic_array::GenericArray, Aes256, BlockCipher, NewBlockCipher};
use idgen::*;
use serde_json::Value;

fn list<'a>(value: &'a Value, name: &str) -> &'a Vec<Value> {
    value[name].as_array().unwrap()
}

fn number(value: &Value) -> i64 {
    value.as_i64().unwrap_or_else(|| value.as_str().unwrap().parse().unwrap())
}

fn form(name: &str) -> Form {
    match name {
        "hex" => Form::Hex,
        "base32" => Form::Base32,
        "base32Checked" => Form::Base32Checked,
        _ => Form::Base62,
    }
}

#[test]
fn vectors() {
    let file = std::fs::read_to_string(std::env::var("VECTORS").unwrap()).unwrap();
    let vectors: Value = serde_json::from_str(&file).unwrap();
    for v in list(&vectors, "layouts") {
        let bits = |name: &str| number(&v[name]) as u32;
        let layout = Layout {
            epoch_millis: number(&v["epochMillis"]),
            tick_millis: number(&v["tickMillis"]),
            time_bits: bits("timeBits"),
            datacenter_bits: bits("datacenterBits"),
            worker_bits: bits("workerBits"),
            sequence_bits: bits("sequenceBits"),
            sequence_above_worker: v["sequenceAboveWorker"].as_bool().unwrap(),
        };
        if v["name"] == "idgen" {
            assert_eq!(layout, IDGEN);
        }
        for id in list(v, "ids") {
            let parts = Parts {
                millis: number(&id["millis"]),
                datacenter: number(&id["datacenter"]),
                worker: number(&id["worker"]),
                sequence: number(&id["sequence"]),
            };
            assert_eq!(decode(number(&id["id"]), &layout), Some(parts));
        }
        for id in list(v, "noIds") {
            assert_eq!(decode(number(id), &layout), None);
        }
    }
    for v in list(&vectors, "texts") {
        for name in ["hex", "base32", "base32Checked", "base62"] {
            assert_eq!(from_text(v[name].as_str().unwrap(), form(name)), Some(number(&v["id"])));
        }
    }
    for v in list(&vectors, "noTexts") {
        assert_eq!(from_text(v["text"].as_str().unwrap(), form(v["form"].as_str().unwrap())), None, "{v}");
    }
    for v in list(&vectors, "publicIds") {
        let hex = v["key"].as_str().unwrap();
        let key: Vec<u8> =
            (0..hex.len()).step_by(2).map(|i| u8::from_str_radix(&hex[i..i + 2], 16).unwrap()).collect();
        let aes = Aes256::new_varkey(&key).unwrap();
        let encrypt = |block: [u8; 16]| {
            let mut encrypted = GenericArray::from(block);
            aes.encrypt_block(&mut encrypted);
            encrypted.into()
        };
        let decoded = |text: &str| {
            from_public_id(
                text,
                v["prefix"].as_str().unwrap(),
                number(&v["version"]) as u32,
                encrypt,
                number(&v["bits"]) as u32,
            )
        };
        for id in list(v, "ids") {
            let text = id["text"].as_str().unwrap();
            assert_eq!(decoded(text), Some(number(&id["id"])));
            assert_eq!(decoded(&text.to_lowercase()), Some(number(&id["id"])));
        }
        for text in list(v, "noTexts") {
            assert_eq!(decoded(text.as_str().unwrap()), None, "{text}");
        }
    }
}
