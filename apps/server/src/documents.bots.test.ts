import { afterAll, beforeAll, expect, test } from 'vitest'
import { callAs } from '../testing/documents.ts'
import { newNumber } from '../testing/rows.ts'
import { openTestApp, type Person, type TestApp } from '../testing/test-app.ts'

/** The calls as the documents write them, by their own words and not by the contract's. */
let app: TestApp
let admin: Person
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.as('admin@balcao.test')
})
afterAll(() => app.close())

async function call(method: string, path: string, body?: object) {
  const answer = await callAs(app, admin, method, path, body)
  return { status: answer.status, said: (await answer.json()) as { id: number } }
}

const form = (command: object) => {
  const made = new FormData()
  made.append('body', JSON.stringify(command))
  made.append('media', new Blob(['%PDF-1.7\n'.padEnd(500, 'linha ')]), 'tabela.pdf')
  made.append('mediaName', 'tabela.pdf')
  return made
}

test('bots and their commands are listed, shown, made, changed and deleted (API-018, API-019) [API-018 … API-019]', async () => {
  const { companyId, id: userId } = admin.user
  const given = {
    ...{ name: `Bot ${newNumber()}`, typingTime: '3', reopenBotAfterHours: 24, countErrorsBot: 3 },
    ...{ typeMenu: 'text', messageOnErrorsBot: 'Digite #', actionWithoutQueue: 'sendMessageAndClosed' },
    ...{ timeWithoutQueue: 10, messageOnWithoutQueue: 'Até logo', transferQueueId: 0, whatsapps: [] },
    ...{ companyId, userId, botType: 'common', botConfigId: 0 },
  }
  const made = await call('POST', '/BotSetup', given)
  expect(made).toMatchObject({ status: 200, said: { ...given, transferQueueId: null, botConfigId: null } })
  const { id } = made.said
  for (const path of ['/BotSetup/', '/botSetup?searchParam=&pageNumber=1'])
    expect((await call('GET', path)).said).toMatchObject({ botSetups: [made.said], hasMore: false })
  for (const path of [`/BotSetup/${id}`, `/botSetup/${id}`])
    expect((await call('GET', path)).said).toEqual(made.said)
  const changed = await call('PUT', `/BotSetup/${id}`, { ...given, countErrorsBot: 4 })
  expect(changed.said).toEqual({ ...made.said, countErrorsBot: 4 })

  const command = {
    ...{ botSetupId: id, commandBot: '1', commandType: 1, descriptionBot: 'Preços', showMessage: 'Veja' },
    ...{ tags: [], botCategoryContacts: [], webhook: '', typeMessage: 'singleMessage', forceNextFlow: '' },
  }
  const added = await call('POST', `/bot/${companyId}`, form(command))
  expect(added).toMatchObject({ status: 200, said: { commandBot: '1', mediaName: 'tabela.pdf' } })
  const botId = added.said.id
  expect((await call('GET', `/bot/${botId}`)).said).toEqual(added.said)
  const other = await call('PUT', `/bot/${companyId}/${botId}`, form({ ...command, showMessage: 'Olhe' }))
  expect(other.said).toMatchObject({ id: botId, showMessage: 'Olhe' })
  expect((await call('GET', `/botBySetup/${id}`)).said).toEqual([other.said])
  expect((await call('DELETE', `/bot/${botId}`)).status).toBe(200)
  expect((await call('DELETE', `/botSetup/${id}`)).status).toBe(200)
  expect((await call('GET', '/BotSetup')).said).toEqual({ botSetups: [], hasMore: false })
})
