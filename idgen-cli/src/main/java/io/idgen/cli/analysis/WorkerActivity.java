package io.idgen.cli.analysis;

/**
 * The ids of one worker.
 *
 * @param datacenter the datacenter id; 0 if the layout has none
 * @param worker the worker id
 * @param ids how many ids it generated
 * @param saturation how close it came to using all ids of a tick
 * @param load its ids over time, in the same buckets as those of all workers
 */
public record WorkerActivity(int datacenter, int worker, long ids, Saturation saturation, LoadCurve load) {}
