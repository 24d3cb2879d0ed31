import { Button, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import classes from './simulator.module.css'
import { useSimulatorText } from './simulator.text.ts'
import type { Customer } from './simulator-screen.tsx'

/** A new customer who is about to write. */
export function NewChat({ onStart, onCancel }: { onStart(customer: Customer): void; onCancel(): void }) {
  const t = useSimulatorText()
  const [number, setNumber] = useState('55119')
  const [name, setName] = useState('')
  const digits = number.replace(/\D/g, '')
  return (
    <form
      className={classes.new}
      onSubmit={event => {
        event.preventDefault()
        onStart({ number: digits, name: name.trim() })
      }}
    >
      <Stack gap={12}>
        <TextInput
          label={t('number')}
          inputMode="tel"
          value={number}
          onChange={event => setNumber(event.currentTarget.value)}
          autoFocus
        />
        <TextInput
          label={t('name')}
          value={name}
          maxLength={50}
          onChange={event => setName(event.currentTarget.value)}
        />
        <Button type="submit" disabled={digits.length < 8}>
          {t('start')}
        </Button>
        <Button variant="subtle" onClick={onCancel}>
          {t('back')}
        </Button>
      </Stack>
    </form>
  )
}
