import { isFile } from '@balcao/contract/cloud.templates.rules.ts'
import type { CloudPlaceholder } from '@balcao/contract/cloud.ts'
import { TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useCloudText } from './cloud.text.ts'

interface Props {
  places: CloudPlaceholder[]
  variables: string[]
  onChange(variables: string[]): void
  /** Chooses a file instead of its address. */
  fileChoice: ReactNode
  /** A file is chosen: its address is not needed. */
  hasFile: boolean
}

/** Values for the placeholders of a template, in their order. */
export const TemplatePlaces = ({ places, variables, onChange, fileChoice, hasFile }: Props) =>
  places.map((place, at) => {
    const field = (
      <TextInput
        key={keyOf(place)}
        label={labelOf(place)}
        description={hintOf(place)}
        data-autofocus={at === 0 || undefined}
        autoFocus={at === 0}
        maxLength={1024}
        value={variables[at] ?? ''}
        onChange={event => onChange(variables.with(at, event.currentTarget.value))}
      />
    )
    if (!isFile(place.kind)) return field
    return (
      <div key={keyOf(place)}>
        {fileChoice}
        {!hasFile && field}
      </div>
    )
  })

const keyOf = ({ part, name }: CloudPlaceholder) => `${part} ${name}`

/** Label of a placeholder of a template. */
function labelOf({ part, name, kind }: CloudPlaceholder) {
  const t = useCloudText.read
  if (isFile(kind)) return t('fileAddress')
  if (kind === 'location') return t('location')
  if (kind === 'product' || kind === 'products') return t(kind, { name })
  return t(part === 'body' ? 'variable' : part, { name })
}

/** What its author gave as an example there, or how it is written. */
const hintOf = ({ example, kind }: CloudPlaceholder) =>
  kind === 'product' || kind === 'products' || kind === 'location'
    ? useCloudText.read(`${kind}Hint`)
    : example && useCloudText.read('example', { example })
