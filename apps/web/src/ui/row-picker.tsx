import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { PagedList } from '../platform/lists.ts'
import { texts } from '../platform/text.ts'
import { TYPING_MS } from '../platform/typing.ts'

const useText = texts({
  more: [
    'Escreva ao menos {count} letras',
    'Write at least {count} letters',
    'Escriba al menos {count} letras',
  ],
  none: ['Nada foi encontrado', 'Nothing was found', 'No se encontró nada'],
  searching: ['Buscando…', 'Searching…', 'Buscando…'],
})

export interface Named {
  id: number
  name: string
}

interface Props<Row extends Named> {
  label: string
  placeholder?: string
  list: (words: string) => ReturnType<PagedList<Row>>
  /** Minimum letters before a request is made. */
  minimum: number
  /** Shown at the field when the server does not answer. */
  failed: string
  /** Distinguishes two rows of one name. */
  hint?(row: Row): string
  /** What is wrong with the choice. */
  error?: ReactNode
  /** Has the focus when its dialog opens. */
  'data-autofocus'?: boolean
  value: Named | null
  onPick(row: Named | null): void
}

/** A row of a list of the server, found by a typed text. */
export function RowPicker<Row extends Named>({
  list,
  minimum,
  failed,
  hint,
  error,
  value,
  onPick,
  ...field
}: Props<Row>) {
  const t = useText()
  const [typed, setTyped] = useState(value?.name ?? '')
  const [words] = useDebouncedValue(typed.trim(), TYPING_MS)
  const isAsked = words.length >= minimum && words !== value?.name
  const { data, isError, isFetching, isPlaceholderData } = useInfiniteQuery({
    ...list(words),
    enabled: isAsked,
    staleTime: 10_000,
    placeholderData: keepPreviousData,
  })
  // Enter accepts results of the current text only, not of the previous one
  const isAnswered = isAsked && !isPlaceholderData && words === typed.trim()
  const found = isAnswered ? (data?.pages.flatMap(page => page.rows) ?? []) : []
  const options = value && !found.some(({ id }) => id === value.id) ? [value, ...found] : found
  const isShort = typed.trim().length < minimum
  return (
    <Select
      {...field}
      searchable
      clearable
      // the first invalid field is focused on submit; its open list would cover the error
      openOnFocus={false}
      data={options.map(({ id, name }) => ({ value: String(id), label: name }))}
      renderOption={({ option }) => {
        const row = found.find(({ id }) => String(id) === option.value)
        return (
          <span>
            {option.label}
            {row && hint && <small style={{ display: 'block', color: 'var(--text-2)' }}>{hint(row)}</small>}
          </span>
        )
      }}
      filter={({ options }) => options}
      value={value ? String(value.id) : null}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={picked => onPick(options.find(({ id }) => String(id) === picked) ?? null)}
      nothingFoundMessage={t(isShort ? 'more' : isFetching || words !== typed.trim() ? 'searching' : 'none', {
        count: minimum,
      })}
      error={isError ? failed : error}
    />
  )
}
