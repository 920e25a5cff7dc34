<?php

/** Compares idgen.php with vectors.json. */

declare(strict_types=1);

require __DIR__ . '/../idgen.php';

function same(mixed $want, callable $call): void
{
    $got = $call();
    if ($want !== $got) {
        throw new LogicException('wanted ' . json_encode($want) . ', got ' . json_encode($got));
    }
}

function refused(callable $call): void
{
    try {
        $got = $call();
    } catch (RangeException) {
        return;
    }
    throw new LogicException('not refused: ' . json_encode($got));
}

$vectors = json_decode(file_get_contents(__DIR__ . '/../vectors.json'), true);
foreach ($vectors['layouts'] as $v) {
    ['name' => $name, 'ids' => $ids, 'noIds' => $noIds] = $v;
    $layout = array_diff_key($v, ['name' => 0, 'ids' => 0, 'noIds' => 0]);
    if ($name === 'idgen') {
        same(Idgen::IDGEN, fn () => $layout);
    }
    foreach ($ids as $id) {
        same(array_diff_key($id, ['id' => 0]), fn () => Idgen::decode((int) $id['id'], $layout));
    }
    foreach ($noIds as $id) {
        refused(fn () => Idgen::decode((int) $id, $layout));
    }
}
foreach ($vectors['texts'] as $v) {
    foreach (array_diff_key($v, ['id' => 0]) as $form => $text) {
        same((int) $v['id'], fn () => Idgen::fromText($text, $form));
    }
}
foreach ($vectors['noTexts'] as $v) {
    refused(fn () => Idgen::fromText($v['text'], $v['form']));
}
foreach ($vectors['publicIds'] as $v) {
    $keys = [$v['version'] => hex2bin($v['key'])];
    foreach ($v['ids'] as $id) {
        foreach ([$id['text'], strtolower($id['text'])] as $text) {
            same((int) $id['id'], fn () => Idgen::fromPublicId($text, $v['prefix'], $keys, $v['bits']));
        }
    }
    foreach ($v['noTexts'] as $text) {
        refused(fn () => Idgen::fromPublicId($text, $v['prefix'], $keys, $v['bits']));
    }
}
