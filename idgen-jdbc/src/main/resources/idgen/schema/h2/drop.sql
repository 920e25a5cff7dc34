DROP TABLE IF EXISTS idgen_segment;
