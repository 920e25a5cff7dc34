/** What README's quick start shows, as code that runs. */
package io.idgen.examples.quickstart;
