DROP TABLE IF EXISTS idgen_segment;
DROP TABLE IF EXISTS idgen_sequence;
DROP TABLE IF EXISTS idgen_stepped;
DROP TABLE IF EXISTS idgen_worker;
