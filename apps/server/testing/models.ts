import { integrations } from '@balcao/contract/integrations.ts'
import { type OpenAiServer, startOpenAiServer } from '@balcao/openai-server/server.ts'
import { expect } from 'vitest'
import { openTestApp, type Person, type TestApp } from './test-app.ts'

export interface ModelScene {
  app: TestApp
  model: OpenAiServer
  master: Person
  integrationId: number
  end(): Promise<void>
}

/** The whole product beside a model that the platform's master connected. */
export async function setModelScene(given: Parameters<typeof openTestApp>[1] = {}): Promise<ModelScene> {
  const model = await startOpenAiServer()
  const app = await openTestApp({ OUTBOUND_ALLOW: '127.0.0.1' }, given)
  const master = await app.as('master@balcao.test')
  const { id: integrationId } = await master.get(integrations.create, { body: integrationOf(model) })
  return {
    ...{ app, model, master, integrationId },
    async end() {
      await app.close()
      await model.close()
      expect([model.unknown, model.errors]).toEqual([[], []])
    },
  }
}

export const integrationOf = ({ url, token }: Pick<OpenAiServer, 'url' | 'token'>) => ({
  name: 'Modelo',
  apiUrl: url,
  apiToken: token,
})
