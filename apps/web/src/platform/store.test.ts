import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { store, useStore, writeKey } from './store.ts'

const shown = (what: () => string | number | undefined) => renderToStaticMarkup(createElement(what))

test('Components show what is written, whole or the part they pick', () => {
  const line = store({ state: 'connected', updates: 0 })
  line.write({ state: 'back', updates: 2 })
  expect(line.read()).toEqual({ state: 'back', updates: 2 })
  expect(shown(() => useStore(line, ({ updates }) => updates))).toBe('2')
  expect(shown(() => useStore(line).state)).toBe('back')
})

test('Whoever follows hears of each change until he leaves', () => {
  const minute = store(1)
  const seen: number[] = []
  const leave = minute.follow(() => seen.push(minute.read()))
  minute.write(2)
  minute.write(3)
  leave()
  minute.write(4)
  expect(seen).toEqual([2, 3])
})

test('A value of one key changes and goes without the others', () => {
  const typing = store<ReadonlyMap<number, string>>(new Map())
  writeKey(typing, 7, 'composing')
  writeKey(typing, 8, 'recording')
  const before = typing.read()
  writeKey(typing, 7, undefined)
  expect([...typing.read()]).toEqual([[8, 'recording']])
  expect(before.get(7)).toBe('composing')
  expect(shown(() => useStore(typing, all => all.get(8)))).toBe('recording')
})
