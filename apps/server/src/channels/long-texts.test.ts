import { text } from 'node:stream/consumers'
import { MAX_BODY } from '@balcao/contract/messages.input.ts'
import { expect, test } from 'vitest'
import type { InboundEvent } from '../driver.ts'
import { inboundFrom } from './baileys/inbound/translate.ts'
import { fileInSource } from './long-texts.ts'
import { receivedFrom } from './received.ts'

const written = (body: string): Extract<InboundEvent, { kind: 'message' }> => {
  const key = { remoteJid: '5511911111111@s.whatsapp.net', fromMe: false, id: 'L1' }
  const event = receivedFrom(inboundFrom({ key, message: { conversation: body } })!)
  if (event.kind !== 'message') throw new Error(event.kind)
  return event
}

test('a text of a phone that is longer than a message may be is cut, and goes on in a file', async () => {
  const long = `${'a'.repeat(MAX_BODY - 1)}🙂${'b'.repeat(40_000)}`
  const { body, mediaType, file } = written(long)
  expect([body, mediaType]).toEqual(['a'.repeat(MAX_BODY - 1), 'document'])
  expect(await text(fileInSource(file!.source)!)).toBe(`🙂${'b'.repeat(40_000)}`)
})

test('a text that fits has no file, and one that no event takes is cut', () => {
  expect(written('a'.repeat(MAX_BODY))).toMatchObject({ mediaType: null })
  expect(written('a'.repeat(MAX_BODY)).file).toBeUndefined()
  const { file, ...most } = written('a'.repeat(1_000_000))
  expect([most.kind, most.body.length]).toEqual(['message', MAX_BODY])
  expect(file!.source.length).toBeLessThan(131_072)
  expect(fileInSource('{"id":"1"}')).toBeNull()
})

test('a text whose rest makes its event too large is kept without the rest', () => {
  const long = { ...written('a'), body: '\u0001'.repeat(MAX_BODY + 21_840) }
  const whole = receivedFrom(long)
  expect(whole).toMatchObject({ kind: 'message', mediaType: null, body: long.body.slice(0, MAX_BODY) })
})

test('of a long text the preview of its link gives way to the file, and its buttons stay', () => {
  const long = { ...written('a'), body: 'a'.repeat(MAX_BODY + 1) }
  const link = receivedFrom({ ...long, data: { url: 'https://x.test/', title: 'X' } })
  expect(link).toMatchObject({ mediaType: 'document', file: { size: 1 } })
  expect('data' in link).toBe(false)
  const offer = receivedFrom({ ...long, data: { choices: ['Sim'] } })
  expect(offer).toMatchObject({ mediaType: null, data: { choices: ['Sim'] }, body: 'a'.repeat(MAX_BODY) })
})
