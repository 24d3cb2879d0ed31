import { type ChangeEvent, type FormEvent, useEffect, useState } from 'react'
import type { z } from 'zod'
import { ApiError } from './call.ts'
import { errorText } from './errors.text.ts'
import { wrongIn } from './forms.text.ts'
import { type Store, store, useStore } from './store.ts'

type Values = Record<string, unknown>

interface State<V> {
  values: V
  /** By the path of its field: `contacts.0.email`. */
  errors: Record<string, string>
  isSending: boolean
  /** What was refused and belongs to no field; null for nothing. */
  refusal: unknown
}

interface Given<V> {
  values: V
  /** Loaded beside the page, which does not wait for it. If it fails only the server validates. */
  shape: () => Promise<z.ZodType>
  /** Throws ApiError. */
  send: (values: V) => Promise<void>
}

/** The form of a page outside (decision 033): as `useSchemaForm`, of no library, and it sends itself. */
export function usePlainForm<V extends Values>({ values, shape, send }: Given<V>) {
  const [state] = useState(() => store<State<V>>({ values, errors: {}, isSending: false, refusal: null }))
  const [problems] = useState(() => judge(shape))
  // loaded while the user reads and writes
  useEffect(() => void problems(state.read().values), [problems, state])
  const [fields] = useState(() => fieldsOf(state))

  /** A field is validated on blur; an empty one not before the form is sent. */
  async function validateField(path: string) {
    const judged = fields.valueAt(path)
    const error = (await problems(state.read().values))[path]
    // it was changed meanwhile
    if (fields.valueAt(path) !== judged) return
    if (error) fields.setFieldError(path, error)
    else fields.clearFieldError(path)
  }
  const shown = useStore(state)
  return {
    ...shown,
    ...fields,
    validateField,
    getInputProps: (path: string) => ({
      value: at(shown.values, path) as string,
      error: shown.errors[path],
      onChange: (event: ChangeEvent<HTMLInputElement>) =>
        fields.setFieldValue(path, event.currentTarget.value),
      onBlur: () => void (fields.valueAt(path) && validateField(path)),
    }),
    onSubmit(event: FormEvent) {
      event.preventDefault()
      if (!state.read().isSending) void sendIt(state, problems, send)
    },
  }
}

type Judge = (values: unknown) => Promise<Record<string, string>>

/** Validates by a shape that is fetched once, and retried on failure. */
function judge(shape: () => Promise<z.ZodType>): Judge {
  let coming: Promise<z.ZodType> | null = null
  return async values => {
    coming ??= shape()
    try {
      return wrongIn(await coming, values)
    } catch {
      coming = null
      return {}
    }
  }
}

async function sendIt<V extends Values>(
  state: Store<State<V>>,
  problems: Judge,
  send: (values: V) => Promise<void>,
) {
  const change = (next: Partial<State<V>>) => state.write({ ...state.read(), ...next })
  const { values } = state.read()
  change({ isSending: true, refusal: null })
  const errors = await problems(values)
  change({ errors })
  if (Object.keys(errors).length === 0)
    await send(values).catch(error => {
      const field = error instanceof ApiError && error.field
      if (field && field in values) change({ errors: { [field]: errorText(error) } })
      else change({ refusal: error })
    })
  change({ isSending: false })
}

/** The actions of a form's fields; the error of a field is cleared when it is written. */
function fieldsOf<V extends Values>({ read, write }: Store<State<V>>) {
  const { values: first } = read()
  const setErrors = (errors: Record<string, string>) => write({ ...read(), errors })
  const keepErrors = (isKept: (path: string) => boolean) =>
    Object.fromEntries(Object.entries(read().errors).filter(([path]) => isKept(path)))
  const setValues = (some: Partial<V>) =>
    write({
      ...read(),
      values: { ...read().values, ...some },
      errors: keepErrors(path => !(path.split('.')[0]! in some)),
    })
  const list = (name: keyof V) => read().values[name] as unknown[]
  const valueAt = (path: string) => at(read().values, path)
  return {
    valueAt,
    getValues: () => read().values,
    isDirty: (path: string) => valueAt(path) !== at(first, path),
    setValues,
    setFieldValue: (path: string, value: unknown) =>
      write({
        ...read(),
        values: put(read().values, path.split('.'), value) as V,
        errors: keepErrors(one => one !== path),
      }),
    setFieldError: (path: string, error: string) => setErrors({ ...read().errors, [path]: error }),
    clearFieldError: (path: string) => setErrors(keepErrors(one => one !== path)),
    insertListItem: (name: keyof V, row: unknown) =>
      setValues({ [name]: [...list(name), row] } as Partial<V>),
    removeListItem: (name: keyof V, index: number) =>
      setValues({ [name]: list(name).toSpliced(index, 1) } as Partial<V>),
  }
}

/** The value under a path. */
const at = (values: unknown, path: string): unknown =>
  path.split('.').reduce((inner, key) => (inner as Values | undefined)?.[key], values)

/** A copy of the values with another value under the path. */
function put(values: unknown, [key = '', ...rest]: string[], value: unknown): unknown {
  const inner = rest.length > 0 ? put((values as Values)[key], rest, value) : value
  return Array.isArray(values)
    ? values.map((one, index) => (String(index) === key ? inner : one))
    : { ...(values as Values), [key]: inner }
}
