package io.idgen.core.inspect;

/**
 * What one worker made.
 *
 * @param datacenter its datacenter, 0 where the layout has none
 * @param worker its worker id
 * @param ids how many ids it made
 * @param saturation how near it came to using up its ticks
 * @param load its ids over time, in the same buckets as everyone's
 */
public record WorkerActivity(int datacenter, int worker, long ids, Saturation saturation, LoadCurve load) {}
