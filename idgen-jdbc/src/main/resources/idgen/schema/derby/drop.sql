DROP TABLE idgen_segment;
DROP TABLE idgen_sequence;
DROP TABLE idgen_stepped;
DROP TABLE idgen_worker;
DROP FUNCTION idgenNowMillis;
