import type { ApiDescription } from '@balcao/contract/publicApi.ts'

/** The sample that the documents embed: a description of a call that no server answers (APIDOC-004). */
export const sampleDescription: ApiDescription = {
  openapi: '3.1.0',
  info: { title: 'Exemplo', version: '1' },
  paths: {
    '/users': {
      post: {
        summary: 'Creates a user.',
        parameters: [],
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['id', 'name', 'email'],
                properties: {
                  id: { type: 'integer' },
                  name: { type: 'string' },
                  email: { type: 'string', format: 'email' },
                },
              },
            },
          },
        },
        responses: { 200: { description: 'Done' } },
      },
    },
  },
}
