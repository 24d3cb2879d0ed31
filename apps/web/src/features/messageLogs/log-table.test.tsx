import type { RawMessageLog } from '@balcao/contract/messageLogs.ts'
import { MantineProvider } from '@mantine/core'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { LogTable } from './log-table.tsx'

const log: RawMessageLog = {
  id: 7,
  createdAt: '2026-11-22T07:00:00.000Z',
  remoteJid: '5511999990000@s.whatsapp.net',
  messageId: 'SIM7',
  fromMe: false,
  ticketId: 41,
  type: 'message',
  companyId: 2,
  whatsappId: 1,
  details0: 'Oi',
  details1: '3',
  JsonValue: '{}',
}
const paging = {
  ...{ isPending: false, isError: false, hasNextPage: false, isFetchingNextPage: false },
  ...{ fetchNextPage: () => {}, refetch: () => {} },
}
const shown = (ticketId: number | null) =>
  renderToStaticMarkup(
    <MantineProvider>
      <LogTable logs={[{ ...log, ticketId }]} paging={paging} empty={null} onOpen={() => {}} />
    </MantineProvider>,
  ).replace(/<[^>]+>/g, ' ')

test('a negative ticket is a warning, a missing one an unknown type (LOG-008) [LOG-008]', () => {
  expect(shown(41)).toMatch(/ 41 /)
  expect(shown(41)).not.toMatch(/Aviso|Tipo desconhecido/)
  expect(shown(-41)).toMatch(/Aviso\s+41/)
  expect(shown(null)).toContain('Tipo desconhecido')
})
