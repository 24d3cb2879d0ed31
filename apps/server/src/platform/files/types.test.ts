import { describe, expect, it } from 'vitest'
import { mayShow, recognise } from './types.ts'

const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(
    parts.map(part => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))),
  )

const mp4 = (brand: string) => bytes([0, 0, 0, 24], 'ftyp', brand, [0, 0, 2, 0], brand, 'mp41')
const ogg = bytes(
  'OggS',
  [0, 2],
  Array(8).fill(0),
  [1, 2, 3, 4],
  Array(8).fill(0),
  [1, 19],
  'OpusHead',
  [1, 1],
  Array(9).fill(0),
)
const webm = bytes([0x1a, 0x45, 0xdf, 0xa3, 0x87, 0x42, 0x82, 0x84], 'webm')
const oldOffice = bytes([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1], Array(600).fill(0))

/** An archive of one stored entry. */
function zip(name: string, content: string) {
  const head = Buffer.alloc(30)
  head.write('PK\x03\x04', 'latin1')
  head.writeUInt32LE(content.length, 18)
  head.writeUInt32LE(content.length, 22)
  head.writeUInt16LE(name.length, 26)
  return Buffer.concat([head, Buffer.from(name + content), bytes('PK\x01\x02', Array(60).fill(0))])
}
const docx = zip(
  '[Content_Types].xml',
  '<Types><Override ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
)

const recognised = (content: Buffer | string, name = 'arquivo', type = '') =>
  recognise(Buffer.from(content), { name, type })

describe('the content says what a file is', () => {
  it.each([
    ['a JPEG', bytes([0xff, 0xd8, 0xff, 0xe0]), 'image/jpeg', 'image'],
    ['a WebP sticker', bytes('RIFF', [36, 0, 0, 0], 'WEBPVP8 '), 'image/webp', 'image'],
    ['a GIF', bytes('GIF89a'), 'image/gif', 'image'],
    ['a PDF', bytes('%PDF-1.7\n'), 'application/pdf', 'document'],
    ['an MP3', bytes('ID3', [3, 0, 0, 0, 0, 0, 0], [0xff, 0xfb, 0x90, 0]), 'audio/mpeg', 'audio'],
    ['a voice message', ogg, 'audio/ogg; codecs=opus', 'audio'],
    ['a film', mp4('isom'), 'video/mp4', 'video'],
    ['sound in its own container', mp4('M4A '), 'audio/mp4', 'audio'],
    ['an archive', zip('a.txt', 'a'), 'application/zip', 'document'],
    [
      'a Word document',
      docx,
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      'document',
    ],
  ])('%s', async (_what, content, type, kind) => {
    expect(await recognised(content, 'virus.html', 'text/html')).toMatchObject({ type, kind })
  })

  it('and a name or a given type cannot make it another', async () => {
    expect(await recognised(bytes('%PDF-1.7'), 'foto.png', 'image/png')).toMatchObject({ ext: 'pdf' })
    expect(await recognised('só texto', 'foto.png', 'image/png')).toMatchObject({ type: 'text/plain' })
  })

  it('but they choose where the content leaves it open', async () => {
    expect(await recognised(webm, 'voz', 'audio/webm;codecs=opus')).toMatchObject({
      type: 'audio/webm',
      kind: 'audio',
    })
    expect(await recognised(webm, 'filme', 'video/webm')).toMatchObject({ type: 'video/webm', kind: 'video' })
    expect(await recognised(oldOffice, 'planilha.XLS')).toMatchObject({ type: 'application/vnd.ms-excel' })
    expect(await recognised(oldOffice, 'instalador.msi')).toBeNull()
    expect(await recognised('nome;telefone', 'contatos.csv')).toMatchObject({ type: 'text/csv', ext: 'csv' })
  })
})

describe('text', () => {
  it('is text in UTF-8, Latin 1 and UTF-16', async () => {
    for (const content of [
      Buffer.from('ação'),
      Buffer.from('ação', 'latin1'),
      Buffer.from('\ufeffação', 'utf16le'),
      Buffer.from(`${'a'.repeat(99)}ç`).subarray(0, 100),
    ])
      expect(await recognised(content)).toMatchObject({ type: 'text/plain', kind: 'document' })
  })

  it('with control characters is not', async () => {
    expect(await recognised(bytes('MZ', [0x90, 0, 3, 0, 0, 0]))).toBeNull()
    expect(await recognised('')).toBeNull()
  })

  it.each([
    '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
    '\ufeff \n<!DOCTYPE html><script>alert(1)</script>',
    '<html><body>',
    '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>',
    '<?xml version="1.0"?><x:script xmlns:x="http://www.w3.org/1999/xhtml">alert(1)</x:script>',
    '<?xml version="1.0"?><?xml-stylesheet href="evil.xsl"?><a/>',
    '#!/bin/sh\nrm -rf /',
  ])('that a browser or a shell would run is refused: %s', async content => {
    expect(await recognised(content, 'imagem.png', 'image/png')).toBeNull()
    expect(await recognised(Buffer.from(content, 'utf16le'))).toBeNull()
  })

  it('that is an electronic invoice is kept', async () => {
    const invoice =
      '<?xml version="1.0" encoding="UTF-8"?><nfeProc xmlns="http://www.portalfiscal.inf.br/nfe"/>'
    expect(await recognised(invoice, 'nfe.xml')).toMatchObject({ type: 'application/xml' })
  })
})

it('pictures, sound, films and PDFs may be shown in place, nothing else', () => {
  for (const type of ['image/png', 'audio/ogg; codecs=opus', 'video/mp4', 'application/pdf'])
    expect(mayShow(type)).toBe(true)
  for (const type of [
    'text/plain',
    'application/xml',
    'image/svg+xml',
    'text/html',
    'application/octet-stream',
    '',
  ])
    expect(mayShow(type)).toBe(false)
})
