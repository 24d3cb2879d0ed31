import { type Route, route } from '@balcao/contract/kit.ts'
import type { Viewer } from '@balcao/contract/permissions.rules.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { Refusal } from '../errors.ts'
import type { Served } from './routes.ts'

const docs = route('GET', '/api/internalDocs', {
  needs: 'master',
  summary: 'This description: OpenAPI 3.1 of every call, from the shapes that are enforced.',
})

/** OpenAPI 3.1 of everything served and of itself, from the same shapes that are enforced: for masters alone (OP-110). */
export function serveApiDocs(app: FastifyInstance, served: Served[], enter: Enter) {
  let description: unknown
  app.get(docs.path, async (request, reply) => {
    const { viewer } = await enter(request, reply)
    if (viewer.master !== 1) throw new Refusal('ERR_NO_PERMISSION')
    description ??= describeRoutes([...served.map(one => one.route), docs])
    return description
  })
}

type Enter = (request: FastifyRequest, reply: FastifyReply) => Promise<{ viewer: Viewer }>

/** OpenAPI 3.1 of these calls. */
export function describeRoutes(routes: Route[]) {
  const paths: Record<string, Record<string, ReturnType<typeof operation>>> = {}
  for (const route of routes)
    for (const path of [route.path, ...route.aliases]) {
      const shown = path.replace(/:(\w+)/g, '{$1}')
      paths[shown] = { ...paths[shown], [route.method.toLowerCase()]: operation(route, path) }
    }
  return {
    openapi: '3.1.0',
    info: { title: 'Balcão', version: '1', license: { name: 'AGPL-3.0-or-later' } },
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
    paths,
  }
}

function operation(route: Route, path: string) {
  const body = withSeen(route, schemaOf(route.body, 'input'))
  return {
    summary: route.summary,
    tags: [path.split('/')[1]],
    ...(route.needs !== 'nobody' && { security: [{ bearer: [] }] }),
    'x-needs': route.needs,
    parameters: [
      // an alias may have fewer places
      ...parametersOf(route.params, 'path').filter(({ name }) => placesIn(path).includes(name)),
      ...parametersOf(route.query, 'query'),
    ],
    ...(Object.keys(body.properties ?? {}).length > 0 && {
      requestBody: {
        content: {
          ...(route.files !== 'only' && { 'application/json': { schema: body } }),
          ...(route.files !== 'none' && { 'multipart/form-data': { schema: withFiles(body) } }),
        },
      },
    }),
    responses: {
      200: {
        description: 'Done',
        content: route.answers
          ? { [route.answers]: { schema: file } }
          : { 'application/json': { schema: schemaOf(route.reply, 'output') } },
      },
    },
  }
}

/** A change takes what its writer saw of the record. */
const withSeen = ({ edits }: Route, body: JsonSchema): JsonSchema =>
  edits === undefined
    ? body
    : {
        ...body,
        properties: {
          ...body.properties,
          seen: {
            type: 'object',
            description: `Fields of GET ${edits} as they were read; ERR_CHANGED_MEANWHILE where one is another by now.`,
          },
        },
      }

const placesIn = (path: string) => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name)

const file = { type: 'string', format: 'binary' }

/** Files come beside the fields; where a call names some by address, uploaded ones are alternatives to those. */
const withFiles = (body: JsonSchema): JsonSchema => ({
  ...body,
  properties: {
    ...body.properties,
    medias: {
      type: 'array',
      items: body.properties?.medias ? { anyOf: [file, { type: 'string', format: 'uri' }] } : file,
    },
  },
})

type JsonSchema = { properties?: Record<string, unknown>; required?: string[] }

const schemaOf = (shape: z.ZodType, io: 'input' | 'output') =>
  z.toJSONSchema(shape, { io, unrepresentable: 'any', target: 'draft-2020-12' }) as JsonSchema

function parametersOf(shape: z.ZodType, where: 'path' | 'query') {
  const { properties = {}, required = [] } = schemaOf(shape, 'output')
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    schema,
  }))
}
