import zlib from 'node:zlib'
import { cut } from '@balcao/contract/cut.rules.ts'
import { errorStatus } from '@balcao/contract/errors.ts'
import type { Route } from '@balcao/contract/kit.ts'
import { may } from '@balcao/contract/permissions.rules.ts'
import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import helmet from '@fastify/helmet'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Platform } from '../app.ts'
import { Refusal } from '../errors.ts'
import type { StoredFile } from '../files/files.ts'
import { reportSpan } from '../observe/spans.ts'
import { traced, traceOf } from '../observe/trace.ts'
import type { PlatformScope, Scope } from '../scope.ts'
import { type Bodies, watchBodies } from './bodies.ts'
import { serveBrand } from './brand.ts'
import { type CallTurns, openCallTurns } from './call-turns.ts'
import { serveApiDocs } from './docs.ts'
import { type Edits, openEdits } from './edits.ts'
import { answerRefusal, JSON_LIMIT, onceAMinute, refusalOf, routeOf } from './error-answers.ts'
import { acceptFiles, discard, readForm, sendMade, serveFiles } from './files.ts'
import { check } from './input.ts'
import { serveOps } from './ops.ts'
import { believed } from './proxies.ts'
import { type Caller, type Limits, networkOf, openLimits } from './rate-limits.ts'
import { mountRaw } from './raw.ts'
import { Download, type Entered, type Guard, type Raw, type Served, type Visit, Written } from './routes.ts'
import { serveWeb } from './web-app.ts'
import type { WebBuild } from './web-build.ts'
import { wordingOf } from './wording.ts'

/** What the features answer to. */
interface Offered {
  served: Served[]
  raw: Raw[]
  guards: Guard[]
}

/** The HTTP side: every served route of the contract, the web app, the operator's pages. */
export async function openHttp(
  platform: Platform,
  { served, raw, guards }: Offered,
  web: WebBuild,
): Promise<FastifyInstance> {
  const { config } = platform
  const limits = openLimits(config.requestsPerMinute)
  const server = { platform, limits, guards, edits: openEdits(served), turns: openCallTurns() }
  const app = fastify({
    logger: false,
    genReqId: ({ headers }) => traceOf(headers['x-request-id']),
    trustProxy: believed(config.trustProxy),
    bodyLimit: JSON_LIMIT,
    ...timeLimits,
    ...closing,
    routerOptions: { caseSensitive: false, ignoreTrailingSlash: true, maxParamLength: 300 },
  })
  const logRefused = onceAMinute(platform.log)
  app.setErrorHandler((error, request, reply) => {
    if (refusalOf(error).code === 'ERR_TOO_MANY_REQUESTS') logRefused(request)
    return answerRefusal(platform, error, request, reply)
  })
  const bodies = watchBodies(app)
  acceptJson(app, bodies)
  await app.register(cookie)
  await acceptFiles(app)
  await app.register(helmet, headers(config))
  await app.register(compress, packing)
  app.addHook('onRequest', async (request, reply) => void reply.headers(headersOf(platform, request)))
  // behind the body, whose bytes come from outside of it
  app.addHook('preHandler', (request, _reply, done) => traced(request.id, done))
  app.addHook('onSend', async (_request, reply) => keepNowhere(reply))
  app.addHook('onResponse', async (request, reply) => observe(platform, request, reply))

  for (const one of served)
    for (const path of [one.route.path, ...one.route.aliases]) mount(app, server, one, path)
  await mountRaw(app, platform, raw, { bodies, turns: server.turns })
  const visitor = async (request: FastifyRequest, reply: FastifyReply) => {
    limits.visit(request.ip)
    const entered = await enter(platform, limits, request)
    await server.turns.ofCompany(entered.viewer.companyId, reply)
    return entered
  }
  serveFiles(app, platform, visitor, guards)
  serveApiDocs(app, served, visitor)
  serveOps(app, platform, web)
  serveBrand(app, config)
  await serveWeb(app, web, { worker: config.serviceWorker })
  await app.ready()
  return app
}

/** A proxy keeps no connection that is about to end: what it sent over one meanwhile would be lost. */
const headersOf = ({ phase }: Platform, { id }: FastifyRequest) => ({
  'x-request-id': id,
  ...(['leaving', 'stopping'].includes(phase()) && { connection: 'close' }),
})

/** Answers are not cached on the way. */
function keepNowhere(reply: FastifyReply) {
  const isJson = String(reply.getHeader('content-type') ?? '').startsWith('application/json')
  if (isJson && !reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
}

/** Many clients name a type also where they send nothing. */
function acceptJson(app: FastifyInstance, bodies: Bodies) {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', (request, payload, done) => {
    bodies.whole(request, payload).then(
      body => (body.length === 0 ? done(null) : parse(request, body.toString(), done)),
      (error: Error) => done(error),
    )
  })
}

/**
 * The head of a request comes within 20 s. A connection that neither side uses for four minutes ends: of who does not
 * read its answer, and of a proxy that forgot it; an upload waits that long for the files' server. How long a body may take depends on its size (`watchBodies`).
 */
const timeLimits = {
  connectionTimeout: 240_000,
  keepAliveTimeout: 72_000,
  requestTimeout: 0,
  http: { headersTimeout: 20_000, connectionsCheckingInterval: 5_000 },
}

/** What is being answered when it closes is finished, and so is what came over a connection by then (`closeDoors`). */
const closing = { forceCloseConnections: 'idle', return503OnClosing: false } as const

interface Server {
  platform: Platform
  limits: Limits
  guards: Guard[]
  edits: Edits
  turns: CallTurns
}

/** A body that took longer (ms): who sent it is looked up again. */
const SLOW_MS = 1_000

function mount(app: FastifyInstance, server: Server, served: Served, path: string) {
  const { platform, limits, turns } = server
  const { route, inCompany, enter: letIn, shows } = served
  // before anything of a body is read
  const entered = new WeakMap<FastifyRequest, Known & { scope: Scope; since: number }>()
  const isOpen = !letIn && (!inCompany || route.needs === 'nobody')
  /** `isAgain`: the same call was let in before, and counts once. */
  async function admit(request: FastifyRequest, reply: FastifyReply, isAgain = false) {
    const visit = visitOf(platform, request, reply)
    const platformScope = platform.scopes.platform(request.id)
    const who = letIn
      ? byToken(platformScope, await letIn(platform, bearer(request), networkOf(request.ip), isAgain), visit)
      : await enterBySession(server, platformScope, route, request, visit, isAgain)
    return { ...who, visit }
  }
  app.route({
    ...{ method: route.method, url: path, bodyLimit: route.bodyBytes ?? JSON_LIMIT },
    onRequest: async (request, reply) => {
      limits.visit(request.ip)
      if (isOpen) {
        const shown = shows?.(visitOf(platform, request, reply))
        return shown ? turns.ofKnown(shown, reply) : turns.ofStranger(networkOf(request.ip), reply)
      }
      const known = await traced(request.id, () => admit(request, reply))
      await turns.ofCompany(known.scope.companyId, reply)
      entered.set(request, { ...known, since: performance.now() })
    },
    handler: async (request, reply) => {
      const first = entered.get(request)
      const run = (known: Known, body: unknown, files: StoredFile[] = []) =>
        answer(server, served, { ...known, body, files, request, reply })
      if (!first) {
        const visit = visitOf(platform, request, reply)
        const caller = { name: networkOf(request.ip), companyId: null, shown: shows?.(visit) ?? null }
        return run({ scope: platform.scopes.platform(request.id), caller, visit }, request.body)
      }
      const { companyId } = first.scope
      const hasForm = request.isMultipart() && route.files !== 'none'
      const { fields, kept } = hasForm
        ? await readForm(platform, request, companyId, route)
        : { fields: request.body, kept: [] }
      try {
        // rights may have changed while a body came slowly
        const isSlow = performance.now() - first.since > SLOW_MS
        return await run(isSlow ? await admit(request, reply, true) : first, fields, kept)
      } catch (error) {
        // anything else may be an answer that got lost behind a commit that names them: the chore finds unreferenced ones
        if (error instanceof Refusal) await discard(platform.files, companyId, kept)
        throw error
      }
    },
  })
}

/** Who calls, and how. */
interface Known {
  scope: Scope | PlatformScope
  caller: Caller
  visit: Visit
}

interface Asked extends Known {
  body: unknown
  files: StoredFile[]
  request: FastifyRequest
  reply: FastifyReply
}

async function answer(
  { limits, edits }: Server,
  { route, handle }: Served,
  { scope, caller, body, files, visit, request, reply }: Asked,
) {
  const input = readCounted(limits, route, caller, () => read(route, request, body, files))
  const given = await limited(limits, route, caller, body, () =>
    handle(edits(scope, { route, sent: body, input, visit }), input, visit),
  )
  if ('asOf' in scope && scope.asOf) reply.header('x-data-as-of', scope.asOf.toISOString())
  if (given instanceof Download) return sendMade(reply, route.answers!, given)
  return given instanceof Written ? reply.type('application/json').send(given.json) : route.reply.parse(given)
}

async function enterBySession(
  { platform, limits, guards }: Server,
  platformScope: PlatformScope,
  route: Route,
  request: FastifyRequest,
  visit: Visit,
  isAgain: boolean,
) {
  const { needs } = route
  const { viewer, claims } = await enter(platform, limits, request, isAgain)
  if (needs === 'nobody' || needs === 'apiToken' || !may(viewer, needs))
    throw new Refusal('ERR_NO_PERMISSION')
  for (const { check } of guards) await check(platform, viewer, route, request.params)
  visit.sessionId = claims.sessionId
  return {
    scope: platformScope.inCompany(claims.companyId, viewer),
    caller: { name: `user ${viewer.id}`, companyId: claims.companyId },
  }
}

function byToken(platformScope: PlatformScope, { companyId, tokenId }: Entered, visit: Visit) {
  visit.tokenId = tokenId
  return {
    scope: platformScope.inCompany(companyId),
    caller: { name: `token ${companyId} ${tokenId}`, companyId },
  }
}

/** Who calls, counted as one more call of his. */
async function enter({ access }: Platform, limits: Limits, request: FastifyRequest, isAgain = false) {
  const entered = await access.enter(bearer(request))
  if (!isAgain) limits.call(entered.viewer.id)
  return entered
}

/** A body that is none of this call is refused before anything else of its limit counts. */
function readCounted<T>(limits: Limits, { path, limit }: Route, caller: Caller, input: () => T): T {
  try {
    return input()
  } catch (error) {
    if (limit) limits.malformed(limit.of ?? path, limit, caller)
    throw error
  }
}

/** A call with a limit of its own. One that was not even tried, or failed by our fault, does not count. */
async function limited<T>(
  limits: Limits,
  { path, limit }: Route,
  caller: Caller,
  body: unknown,
  work: () => Promise<T>,
): Promise<T> {
  if (!limit) return work()
  const undo = limits.attempt(limit.of ?? path, limit, caller, limit.account ? accountIn(body) : null)
  try {
    const answer = await work()
    if (limit.counts === 'failures') undo()
    return answer
  } catch (error) {
    const status = errorStatus[refusalOf(error).code]
    if (status >= 500 || status === 429) undo()
    throw error
  }
}

function accountIn(body: unknown) {
  const email = (body as { email?: unknown } | undefined | null)?.email
  return typeof email === 'string' ? cut(email.trim().toLowerCase(), 200) : null
}

const bearer = (request: FastifyRequest) => /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1]

function read(route: Route, request: FastifyRequest, body: unknown, files: StoredFile[]) {
  const wording = wordingOf(request.headers['accept-language'])
  return {
    params: check(route.params, request.params, wording),
    query: check(route.query, request.query, wording),
    body: check(route.body, body ?? {}, wording),
    files,
  }
}

function visitOf(platform: Platform, request: FastifyRequest, reply: FastifyReply): Visit {
  return {
    platform,
    ip: request.ip,
    userAgent: cut(request.headers['user-agent'] ?? '', 300),
    sessionId: null,
    tokenId: null,
    origin: platform.config.backendUrl || `${request.protocol}://${request.host}`,
    header(name) {
      const value = request.headers[name]
      return Array.isArray(value) ? value[0] : value
    },
    cookie: name => request.cookies[name],
    setCookie(name, value, maxAge = 0) {
      reply.setCookie(name, value ?? '', {
        path: '/auth',
        httpOnly: true,
        sameSite: 'strict',
        secure: request.protocol === 'https',
        maxAge: value === null ? 0 : maxAge,
      })
    },
  }
}

function observe(platform: Platform, request: FastifyRequest, reply: FastifyReply) {
  const route = routeOf(request)
  platform.metrics.request(request.method, route, reply.statusCode, reply.elapsedTime / 1000)
  reportSpan(
    {
      ...{ kind: 'call', name: `${request.method} ${route}`, failed: reply.statusCode >= 500 },
      facts: {
        'http.request.method': request.method,
        'http.route': route,
        'http.response.status_code': reply.statusCode,
      },
    },
    { trace: request.id, ms: reply.elapsedTime },
  )
  platform.log.debug(
    { trace: request.id, method: request.method, route, status: reply.statusCode, ms: reply.elapsedTime },
    'request',
  )
}

/**
 * Answers are packed at once and quickly, at a fifth of what a stream costs and a tenth more bytes; the files of the
 * web app, which browsers keep, thoroughly.
 */
const packing = {
  threshold: 2_048,
  encodings: ['gzip' as const],
  syncThreshold: 262_144,
  zlib: { ...zlib, gzipSync: (answer: Buffer) => zlib.gzipSync(answer, { level: 1 }) },
}

const MAPS = 'https://www.google.com'

/** Styles may be inline (measured positions need them), scripts never; nothing is framed but maps, where there is a key. */
const headers = ({ trustProxy, mapsKey }: Platform['config']) => ({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'self'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'blob:', 'data:'],
      mediaSrc: ["'self'", 'blob:'],
      connectSrc: ["'self'"],
      workerSrc: ["'self'"],
      manifestSrc: ["'self'"],
      frameSrc: [mapsKey ? MAPS : "'none'"],
      objectSrc: ["'none'"],
      baseUri: ["'self'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
    },
  },
  strictTransportSecurity: trustProxy !== false && { maxAge: 31_536_000 },
  crossOriginEmbedderPolicy: false,
})
