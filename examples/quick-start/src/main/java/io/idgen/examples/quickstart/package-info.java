/** The code of README's quick start, runnable. */
package io.idgen.examples.quickstart;
