/** Orders with their lines over REST. */
package io.idgen.examples.springboot;
