import type { ContactMerge, MergeSuggestion } from '@balcao/contract/contactMerges.ts'
import type { Contact } from '@balcao/contract/contacts.ts'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { phoneText } from '../../platform/phone.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { keepApart, mergesOptions, suggestionsOptions, undoMerge } from './contactMerges.api.ts'
import classes from './contactMerges.module.css'
import { useMergeText } from './contactMerges.text.ts'
import MergeDialog from './merge.dialog.tsx'

/** Contacts that may be one person, and those that were made one and can be two again. */
export default function DoublesDialog({ onClose }: { onClose(): void }) {
  const t = useMergeText()
  const suggestions = useQuery(suggestionsOptions)
  const merges = useQuery(mergesOptions)
  const [merging, setMerging] = useState<MergeSuggestion | null>(null)
  return (
    <Dialog title={t('doublesTitle')} onClose={onClose} size={720}>
      <Stack gap={20}>
        {(suggestions.isError || merges.isError) && <Text role="alert">{t('failed')}</Text>}
        <section aria-label={t('suggested')}>
          <Text fw={600}>{t('suggested')}</Text>
          {suggestions.data?.length === 0 && <Text c="dimmed">{t('noneSuggested')}</Text>}
          <ul className={classes.list}>
            {suggestions.data?.map(one => (
              <Suggested
                key={`${one.into.id} ${one.from.id} ${one.why}`}
                suggestion={one}
                onMerge={setMerging}
              />
            ))}
          </ul>
        </section>
        <section aria-label={t('recent')}>
          <Text fw={600}>{t('recent')}</Text>
          {merges.data?.length === 0 && <Text c="dimmed">{t('noneRecent')}</Text>}
          <ul className={classes.list}>
            {merges.data?.map(merge => (
              <Recent key={merge.id} merge={merge} />
            ))}
          </ul>
        </section>
      </Stack>
      {merging && (
        <MergeDialog contact={merging.into} other={merging.from} onClose={() => setMerging(null)} />
      )}
    </Dialog>
  )
}

interface SuggestedProps {
  suggestion: MergeSuggestion
  onMerge(suggestion: MergeSuggestion): void
}

function Suggested({ suggestion, onMerge }: SuggestedProps) {
  const t = useMergeText()
  const { why, into, from } = suggestion
  const of = ({ name, number, email }: Contact) =>
    `${name} (${why === 'number' || !email ? phoneText(number) : email})`
  return (
    <li className={classes.row}>
      <span className={classes.who}>
        {of(into)} · {of(from)}
        <br />
        <span className={classes.why}>{t(why === 'number' ? 'sameNumber' : 'sameEmail')}</span>
      </span>
      <Group gap={8}>
        <Button variant="subtle" size="xs" onClick={() => void keepApart(into.id, from.id)}>
          {t('apart')}
        </Button>
        <Button
          variant="default"
          size="xs"
          aria-label={t('mergeBoth', { one: into.name, other: from.name })}
          onClick={() => onMerge(suggestion)}
        >
          {t('merge')}
        </Button>
      </Group>
    </li>
  )
}

function Recent({ merge: { id, contact, from, by } }: { merge: ContactMerge }) {
  const t = useMergeText()
  return (
    <li className={classes.row}>
      <span className={classes.who}>
        {t('mergedBy', { from: from.name, name: contact.name, by: by?.name ?? t('somebody') })}
      </span>
      <Button
        variant="default"
        size="xs"
        aria-label={t('undoNamed', { from: from.name, name: contact.name })}
        onClick={() => void undoMerge(id)}
      >
        {t('undo')}
      </Button>
    </li>
  )
}
