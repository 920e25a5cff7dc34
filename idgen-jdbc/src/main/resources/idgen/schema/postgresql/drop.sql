DROP TABLE IF EXISTS idgen_counter;
DROP TABLE IF EXISTS idgen_worker;
