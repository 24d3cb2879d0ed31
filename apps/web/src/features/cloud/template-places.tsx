import type { CloudPlaceholder } from '@balcao/contract/cloud.ts'
import { TextInput } from '@mantine/core'
import { useCloudText } from './cloud.text.ts'

interface Props {
  places: CloudPlaceholder[]
  variables: string[]
  onChange(variables: string[]): void
}

/** Values for the placeholders of a template, in their order. */
export const TemplatePlaces = ({ places, variables, onChange }: Props) =>
  places.map((place, at) => (
    <TextInput
      key={`${place.part} ${place.name}`}
      label={labelOf(place)}
      description={hintOf(place)}
      data-autofocus={at === 0 || undefined}
      autoFocus={at === 0}
      maxLength={1024}
      value={variables[at] ?? ''}
      onChange={event => onChange(variables.with(at, event.currentTarget.value))}
    />
  ))

/** Label of a placeholder of a template. */
function labelOf({ part, name, kind }: CloudPlaceholder) {
  const t = useCloudText.read
  if (kind !== 'text') return t('fileAddress')
  return t(part === 'body' ? 'variable' : part, { name })
}

/** What its author gave as an example there. */
const hintOf = ({ example }: CloudPlaceholder) => example && useCloudText.read('example', { example })
