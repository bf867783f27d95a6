// Servers of others, which count what they are asked for: a translation service, a voice, a mail server, sources of routes.
import http from "node:http";
import net from "node:net";
import { ownJpeg, tone, wait } from "./tools.mjs";

/** One list of calls for each subject: `[{from, to}]`, `to` once the answer was sent. */
class Calls {
  #bySubject = new Map();

  begin(subject) {
    const call = { from: Date.now(), to: undefined };
    this.#bySubject.set(subject, [...(this.#bySubject.get(subject) ?? []), call]);
    return call;
  }

  get subjects() {
    return [...this.#bySubject.entries()];
  }

  of(subject) {
    return this.#bySubject.get(subject) ?? [];
  }
}

const read = async (request) => {
  const parts = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString("utf8");
};

/** The names of the treks and pictures of a source: each exists once. */
export const trekName = (source, number) => `Itinéraire ${source} numéro ${number}`;
export const pictureName = (source, number) => `chaos-import-${source}-${number}.jpg`;

/** Translation, voice and sources at one port. */
export async function startServices(port, picture, random) {
  const sentences = new Calls();
  const readings = new Calls();
  const sound = tone(2);
  const sources = { treks: 3 };
  const trek = (source, number) => {
    const north = 44.5 + source * 0.01 + number * 0.0015;
    return {
      id: number,
      uuid: `chaos-${source}-${number}`,
      name: { fr: trekName(source, number), en: "" },
      description_teaser: { fr: "Une boucle." },
      description: { fr: "<p>On part et on revient.</p>" },
      practice: 4,
      difficulty: 2,
      themes: [],
      labels: [],
      networks: [],
      route: 1,
      duration: 2,
      departure: { fr: "La gare" },
      arrival: { fr: "Le lac" },
      attachments: [{ type: "image", author: "L’office", legend: `Vue ${number}`, title: pictureName(source, number), url: `http://127.0.0.1:${port}/pictures/${pictureName(source, number)}` }],
      geometry: { type: "LineString", coordinates: Array.from({ length: 20 }, (_, at) => [3.1 + at * 0.001, north, 500]) },
    };
  };
  const LISTS = {
    trek_practice: [{ id: 4, name: { fr: "Pédestre" } }],
    trek_difficulty: [{ id: 2, label: { fr: "Facile" } }],
    trek_route: [{ id: 1, route: { fr: "Boucle" } }],
    theme: [],
    label: [],
    trek_network: [],
  };
  const server = http.createServer(async (request, reply) => {
    const { pathname, searchParams } = new URL(request.url, "http://stub");
    const answer = (body) => reply.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
    try {
      if (pathname.endsWith("/translate")) {
        const { q } = JSON.parse(await read(request));
        const calls = q.map((text) => sentences.begin(text));
        await wait(random.between(150, 500));
        answer({ translatedText: q.map((text) => `[en] ${text}`) });
        for (const call of calls) call.to = Date.now();
      } else if (pathname.endsWith("/v1/audio/speech")) {
        const { input } = JSON.parse(await read(request));
        const call = readings.begin(input);
        await wait(random.between(200, 700));
        reply.writeHead(200, { "content-type": "audio/wav" }).end(sound);
        call.to = Date.now();
      } else if (pathname.startsWith("/pictures/")) {
        reply.writeHead(200, { "content-type": "image/jpeg" }).end(ownJpeg(picture, pathname));
      } else {
        const [, source, list] = /^\/source\/(\d+)\/api\/v2\/(\w+)/.exec(pathname) ?? [];
        if (list !== "trek") return LISTS[list] ? answer({ count: LISTS[list].length, next: null, previous: null, results: LISTS[list] }) : reply.writeHead(404).end();
        await wait(random.between(50, 200));
        const all = Array.from({ length: sources.treks }, (_, at) => trek(Number(source), at + 1));
        const results = searchParams.has("fields") ? all.map(({ id, uuid }) => ({ id, uuid })) : all;
        answer({ count: results.length, next: null, previous: null, results });
      }
    } catch {
      reply.destroy();
    }
    return undefined;
  });
  await new Promise((ready) => server.listen(port, "127.0.0.1", ready));
  return { sentences, readings, sources, stop: () => server.close() };
}

/** A mail server that takes mails and forgets them, and refuses every connection while `refuses` is true. */
export async function startMailServer(port, random) {
  const mails = []; // {to, from: when its connection began it, at: when it was accepted}
  const state = { mails, refuses: false, forgetNext: false, refused: 0 };
  const sockets = new Set();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => {});
    socket.setEncoding("utf8");
    const say = (line) => socket.writable && socket.write(`${line}\r\n`);
    let [rest, inData, to, began] = ["", false, [], 0];
    const refuse = () => {
      state.refused += 1;
      socket.end("421 4.3.2 the service is away\r\n");
    };
    if (state.refuses) return refuse();
    say("220 stub");
    socket.on("data", async (part) => {
      rest += part;
      for (;;) {
        if (inData) {
          const end = rest.indexOf("\r\n.\r\n");
          if (end < 0) return;
          rest = rest.slice(end + 5);
          inData = false;
          const taken = to.map((address) => ({ to: address, from: began, at: Date.now() }));
          await wait(random.between(20, 150));
          for (const mail of taken) mail.at = Date.now();
          if (state.forgetNext) state.forgetNext = false;
          else mails.push(...taken);
          say("250 2.0.0 taken");
          continue;
        }
        const end = rest.indexOf("\r\n");
        if (end < 0) return;
        const line = rest.slice(0, end);
        rest = rest.slice(end + 2);
        if (state.refuses) return refuse();
        const verb = line.slice(0, 4).toUpperCase();
        if (verb === "MAIL") [to, began] = [[], Date.now()];
        if (verb === "RCPT") to = [...to, /<(.*?)>/.exec(line)[1]];
        if (verb === "DATA") {
          inData = true;
          say("354 go on");
        } else if (verb === "QUIT") {
          say("221 bye");
          socket.end();
        } else {
          say("250 ok");
        }
      }
    });
    return undefined;
  });
  await new Promise((ready) => server.listen(port, "127.0.0.1", ready));
  const stop = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return Object.assign(state, { stop });
}
