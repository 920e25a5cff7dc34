// Requests a ticket, and asks for it by the id that it has received. The types are those of the contract.
import createClient from "openapi-fetch";
import type { paths } from "./contract.js";

declare const process: { argv: string[] };

const client = createClient<paths>({ baseUrl: process.argv[2]! });

const { data: ticket } = await client.POST("/tickets");
const id: string = ticket!.id!;
const next: string[] = ticket!.next!;
const { data: found } = await client.GET("/tickets/{id}", { params: { path: { id } } });
const { data: after } = await client.GET("/tickets", { params: { query: { after: next[0]! } } });

// the control, whose ids are numbers
const { data: number } = await client.POST("/numbers");
const rounded: number = number!.id!;
const { data: other } = await client.GET("/numbers/{id}", { params: { path: { id: rounded } } });

console.log(id, found!.asked, after!.asked, rounded, other!.asked);
