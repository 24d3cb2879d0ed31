import { hexOf } from '@balcao/contract/colors.ts'
import { TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { texts } from '../platform/text.ts'
import classes from './color-field.module.css'
import { swatches } from './swatches.ts'

const useText = texts({
  pick: ['Escolher outra cor', 'Pick another colour', 'Elegir otro color'],
  red: ['Vermelho', 'Red', 'Rojo'],
  orange: ['Laranja', 'Orange', 'Naranja'],
  gold: ['Dourado', 'Gold', 'Dorado'],
  green: ['Verde', 'Green', 'Verde'],
  teal: ['Turquesa', 'Teal', 'Turquesa'],
  blue: ['Azul', 'Blue', 'Azul'],
  violet: ['Roxo', 'Violet', 'Violeta'],
  pink: ['Rosa', 'Pink', 'Rosa'],
  brown: ['Marrom', 'Brown', 'Marrón'],
  grey: ['Cinza', 'Grey', 'Gris'],
})

interface Props {
  label: string
  value?: string
  onChange?(color: string): void
  onBlur?(): void
  error?: ReactNode
}

/** A colour: one of ten by name, any by the browser's own picker, or as hex digits. */
export function ColorField({ label, value = '', onChange, onBlur, error }: Props) {
  const t = useText()
  const known = hexOf(value)
  return (
    <div>
      <TextInput
        label={label}
        value={value}
        maxLength={9}
        error={error}
        spellCheck={false}
        onChange={event => onChange?.(event.currentTarget.value)}
        onBlur={onBlur}
        leftSection={
          <input
            type="color"
            className={classes.any}
            aria-label={t('pick')}
            title={t('pick')}
            value={known?.length === 7 ? known : swatches.grey}
            onChange={event => onChange?.(event.currentTarget.value)}
          />
        }
      />
      <div className={classes.swatches}>
        {(Object.keys(swatches) as (keyof typeof swatches)[]).map(name => (
          <button
            key={name}
            type="button"
            className={classes.swatch}
            style={{ background: swatches[name] }}
            aria-label={t(name)}
            title={t(name)}
            aria-pressed={value.toLowerCase() === swatches[name]}
            onClick={() => onChange?.(swatches[name])}
          />
        ))}
      </div>
    </div>
  )
}
