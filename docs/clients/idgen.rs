//! Decodes ids of idgen. Returns None for what is no id.

const CROCKFORD: &str = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// A form of text.
#[derive(Clone, Copy, PartialEq)]
pub enum Form {
    Hex,
    Base32,
    /// Base32 and a check character.
    Base32Checked,
    Base62,
}

/// Counts ticks since the epoch; both are in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Layout {
    pub epoch_millis: i64,
    pub tick_millis: i64,
    pub time_bits: u32,
    pub datacenter_bits: u32,
    pub worker_bits: u32,
    pub sequence_bits: u32,
    pub sequence_above_worker: bool,
}

/// The default layout.
pub const IDGEN: Layout = Layout {
    epoch_millis: 1704067200000,
    tick_millis: 1,
    time_bits: 41,
    datacenter_bits: 5,
    worker_bits: 5,
    sequence_bits: 12,
    sequence_above_worker: false,
};

/// The parts of an id. The milliseconds count since 1970.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parts {
    pub millis: i64,
    pub datacenter: i64,
    pub worker: i64,
    pub sequence: i64,
}

/// Returns the parts of an id.
pub fn decode(id: i64, layout: &Layout) -> Option<Parts> {
    let workers = layout.datacenter_bits + layout.worker_bits;
    let below_time = workers + layout.sequence_bits;
    if id < 0 || id >> (layout.time_bits + below_time) != 0 {
        return None;
    }
    let (worker_shift, sequence_shift) =
        if layout.sequence_above_worker { (0, workers) } else { (layout.sequence_bits, 0) };
    let at = |shift: u32, width: u32| id >> shift & ((1 << width) - 1);
    Some(Parts {
        millis: layout.epoch_millis + (id >> below_time) * layout.tick_millis,
        datacenter: at(worker_shift + layout.worker_bits, layout.datacenter_bits),
        worker: at(worker_shift, layout.worker_bits),
        sequence: at(sequence_shift, layout.sequence_bits),
    })
}

/// Returns the id that a text stands for.
pub fn from_text(text: &str, form: Form) -> Option<i64> {
    let (alphabet, length) = match form {
        Form::Hex => ("0123456789ABCDEF", 16),
        Form::Base32 | Form::Base32Checked => (CROCKFORD, 13),
        Form::Base62 => ("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", 11),
    };
    let mut id: i64 = 0;
    for c in text.get(..length)?.chars() {
        let upper = if form == Form::Base62 { c } else { c.to_ascii_uppercase() };
        let written = match upper {
            'O' if alphabet == CROCKFORD => '0',
            'I' | 'L' if alphabet == CROCKFORD => '1',
            other => other,
        };
        id = id.checked_mul(alphabet.len() as i64)?.checked_add(alphabet.find(written)? as i64)?;
    }
    let check = match form {
        Form::Base32Checked => CROCKFORD.chars().chain("*~$=U".chars()).nth((id % 37) as usize),
        _ => None,
    };
    text[length..].chars().eq(check).then_some(id)
}

/// Returns the id behind a public id. The function encrypts a block with AES and the key of this version; the bits are
/// 63 or 53, as the permutation has.
pub fn from_public_id(
    text: &str,
    prefix: &str,
    version: u32,
    encrypt: impl Fn([u8; 16]) -> [u8; 16],
    bits: u32,
) -> Option<i64> {
    let (begin, body) = text.rsplit_once('_')?;
    let kind = if prefix.is_empty() { String::new() } else { format!("{prefix}_") };
    let mut id = from_text(body, Form::Base32)? as u64;
    if begin.to_ascii_lowercase() != format!("{kind}k{version}") || id >> bits != 0 {
        return None;
    }
    let half = (bits + 1) / 2;
    let mask = (1 << half) - 1;
    loop {
        let (mut left, mut right) = (id >> half, id & mask);
        for round in (0..10).rev() {
            let mut block = [0; 16];
            block[0] = bits as u8;
            block[1] = round;
            block[8..].copy_from_slice(&left.to_be_bytes());
            let mixed = u64::from_be_bytes(encrypt(block)[..8].try_into().unwrap()) & mask;
            (left, right) = (right ^ mixed, left);
        }
        id = left << half | right;
        // the network covers one bit more than an id of 63 or 53 bits has: repeat until the result is an id
        if id >> bits == 0 {
            return Some(id as i64);
        }
    }
}
