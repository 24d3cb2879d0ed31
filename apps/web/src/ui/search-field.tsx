import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'

interface Props {
  /** Its accessible name, shown while it is empty. */
  label: string
  value: string | undefined
  onChange(words: string): void
  maxLength?: number
  className?: string | undefined
}

/** Words that a list is searched by. */
export const SearchField = ({ label, onChange, maxLength = 100, ...field }: Props) => (
  <TextInput
    {...field}
    type="search"
    aria-label={label}
    placeholder={label}
    leftSection={<IconSearch size={16} aria-hidden />}
    maxLength={maxLength}
    onChange={event => onChange(event.currentTarget.value)}
  />
)
