import type { Category } from '@balcao/contract/categories.ts'
import { MultiSelect, type MultiSelectProps } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { texts } from '../../platform/text.ts'
import { Pill } from '../../ui/chip.tsx'
import { categoryChoices } from './categories.api.ts'
import classes from './category-picker.module.css'

const useText = texts({
  none: ['Nenhuma categoria', 'No categories', 'Ninguna categoría'],
  takeOff: ['Tirar {name}', 'Take off {name}', 'Quitar {name}'],
  clear: ['Tirar todas', 'Take off all', 'Quitar todas'],
})

interface Props
  extends Pick<
    MultiSelectProps,
    'label' | 'aria-label' | 'placeholder' | 'description' | 'error' | 'disabled' | 'className' | 'w'
  > {
  /** Ids of the chosen categories. */
  value: number[]
  onChange(categoryIds: number[]): void
}

/** Chooses among the contact categories of the company, each in its colour; live. */
export function CategoryPicker({ value, onChange, placeholder, ...rest }: Props) {
  const t = useText()
  const { data: categories = [] } = useQuery(categoryChoices)
  const byId = useMemo(() => new Map(categories.map(one => [String(one.id), one])), [categories])
  const shown = value.map(String).filter(id => byId.has(id))
  return (
    <MultiSelect
      {...rest}
      data={categories.map(({ id, name }) => ({ value: String(id), label: name }))}
      value={shown}
      onChange={ids => onChange(ids.map(Number))}
      {...(shown.length === 0 && placeholder && { placeholder })}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('clear') }}
      hidePickedOptions
      classNames={{ inputField: classes.field! }}
      nothingFoundMessage={t('none')}
      maxDropdownHeight={260}
      renderOption={({ option }) => <Labelled category={byId.get(option.value)} />}
      renderPill={({ option, onRemove, disabled }) => (
        <span className={classes.chosen}>
          <Labelled category={byId.get(String(option.value))} />
          {!disabled && (
            <button
              type="button"
              tabIndex={-1}
              className={classes.off}
              aria-label={t('takeOff', { name: option.label })}
              onClick={onRemove}
            >
              ×
            </button>
          )}
        </span>
      )}
    />
  )
}

const Labelled = ({ category }: { category: Category | undefined }) =>
  category && <Pill label={category.name} color={category.color} on="bg-hover" />
