"""Takes ids of 'orders' in a loop, and prints each after its commit. Begins again when the server fails."""
import sys
import time

product, port, user, password = sys.argv[1:]
login = dict(host="127.0.0.1", port=int(port), user=user, password=password, database="idgen")
if product == "postgresql":
    import psycopg2 as driver
else:
    import pymysql as driver

while True:
    try:
        connection = driver.connect(**login)
        cursor = connection.cursor()
        while True:
            cursor.execute("SELECT idgen_next('orders')")
            taken = cursor.fetchone()[0]
            connection.commit()
            print(taken, flush=True)
    except driver.Error as failure:
        print(failure, file=sys.stderr, flush=True)
        time.sleep(0.05)
