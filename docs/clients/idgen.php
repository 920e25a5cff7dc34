<?php

declare(strict_types=1);

/** Decodes ids of idgen, on PHP of 64 bits. Throws a RangeException for what is no id. */
final class Idgen
{
    /** The default layout: ticks since the epoch, both in milliseconds. */
    public const IDGEN = [
        'epochMillis' => 1704067200000, 'tickMillis' => 1, 'timeBits' => 41, 'datacenterBits' => 5,
        'workerBits' => 5, 'sequenceBits' => 12, 'sequenceAboveWorker' => false,
    ];

    private const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

    /** Alphabet and number of characters. */
    private const FORMS = [
        'hex' => ['0123456789ABCDEF', 16],
        'base32' => [self::CROCKFORD, 13],
        'base32Checked' => [self::CROCKFORD, 13], // and a check character
        'base62' => ['0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', 11],
    ];

    /** Returns the parts of an id: millis (since 1970), datacenter, worker, sequence. */
    public static function decode(int $id, array $layout = self::IDGEN): array
    {
        $workers = $layout['datacenterBits'] + $layout['workerBits'];
        $belowTime = $workers + $layout['sequenceBits'];
        if ($id < 0 || $id >> ($layout['timeBits'] + $belowTime) !== 0) {
            throw new RangeException("$id is no id of this layout");
        }
        [$workerShift, $sequenceShift] =
            $layout['sequenceAboveWorker'] ? [0, $workers] : [$layout['sequenceBits'], 0];
        $at = fn (int $shift, int $width): int => $id >> $shift & (1 << $width) - 1;
        return [
            'millis' => $layout['epochMillis'] + ($id >> $belowTime) * $layout['tickMillis'],
            'datacenter' => $at($workerShift + $layout['workerBits'], $layout['datacenterBits']),
            'worker' => $at($workerShift, $layout['workerBits']),
            'sequence' => $at($sequenceShift, $layout['sequenceBits']),
        ];
    }

    /** Returns the id that a text stands for; the form is hex, base32, base32Checked or base62. */
    public static function fromText(string $text, string $form): int
    {
        [$alphabet, $length] = self::FORMS[$form];
        $written = $form === 'base62' ? $text : strtoupper($text);
        if ($alphabet === self::CROCKFORD) {
            $written = strtr($written, 'OIL', '011');
        }
        $id = strlen($text) < $length ? null : 0;
        for ($i = 0; is_int($id) && $i < $length; $i++) {
            $digit = strpos($alphabet, $written[$i]);
            $id = $digit === false ? null : $id * strlen($alphabet) + $digit; // a float if it is above the largest id
        }
        $check = $form === 'base32Checked' && is_int($id) ? (self::CROCKFORD . '*~$=U')[$id % 37] : '';
        if (!is_int($id) || substr($text, $length) !== $check) {
            throw new RangeException("'$text' is no id in $form");
        }
        return $id;
    }

    /** Returns the id behind a public id. The keys are by version; the bits are 63 or 53, as the permutation has. */
    public static function fromPublicId(string $text, string $prefix, array $keys, int $bits = 63): int
    {
        $end = (int) strrpos($text, '_');
        $begin = strtolower(substr($text, 0, $end));
        foreach ($keys as $version => $key) {
            if ($begin === ($prefix === '' ? '' : $prefix . '_') . "k$version") {
                $id = self::fromText(substr($text, $end + 1), 'base32');
                return $id >> $bits === 0 ? self::restore($id, $key, $bits)
                    : throw new RangeException("'$text' is above $bits bits");
            }
        }
        throw new RangeException("'$text' has another prefix, or the version of an unknown key");
    }

    private static function restore(int $id, string $key, int $bits): int
    {
        $cipher = 'aes-' . 8 * strlen($key) . '-ecb';
        $half = intdiv($bits + 1, 2);
        $mask = (1 << $half) - 1;
        do { // the network covers one bit more than an id of 63 or 53 bits has: repeat until the result is an id
            [$left, $right] = [$id >> $half & $mask, $id & $mask];
            for ($round = 9; $round >= 0; $round--) {
                $block = pack('CCx6J', $bits, $round, $left);
                $mixed = openssl_encrypt($block, $cipher, $key, OPENSSL_RAW_DATA | OPENSSL_ZERO_PADDING);
                [$left, $right] = [$right ^ unpack('J', $mixed)[1] & $mask, $left];
            }
            $id = $left << $half | $right;
        } while ($id >> $bits !== 0);
        return $id;
    }
}
