package io.idgen.examples.contracts;

import io.idgen.text.IdAsString;
import io.idgen.text.PublicId;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** Ids in the contract of SmallRye OpenAPI: declared as strings, because it does not know the annotations of idgen. */
@Path("/tickets")
@Produces("application/json")
public class Tickets {
    /** A ticket in JSON; {@code seats} is a number. */
    public record Ticket(
            @IdAsString @Schema(implementation = String.class)
            long id,

            long seats) {}

    @GET
    @Path("{id}")
    public Ticket ticket(@PathParam("id") @Schema(implementation = String.class) long id) {
        return new Ticket(id, 2);
    }

    @GET
    @Path("of/{customer}")
    public Ticket ofCustomer(
            @PathParam("customer") @PublicId("customer") @Schema(implementation = String.class) long id) {
        return new Ticket(id, 2);
    }

    @GET
    public Ticket sinceOrOfAll(@QueryParam("since") @PublicId @Schema(implementation = String.class) Long id) {
        return new Ticket(id == null ? -1 : id, 2);
    }

    /** Without a declaration: the contract says number, so a generated client rounds the id. */
    @GET
    @Path("undeclared/{id}")
    public Ticket undeclared(@PathParam("id") long id) {
        return new Ticket(id, 2);
    }
}
