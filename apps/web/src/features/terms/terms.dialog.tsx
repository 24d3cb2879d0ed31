import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { notify } from '../../platform/notify.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { acceptTerms, ownTerms } from './terms.api.ts'
import classes from './terms.module.css'
import { useTermsText } from './terms.text.ts'

/** The terms of the operator that the company has not accepted yet. */
export default function TermsDialog({ onClose }: { onClose(): void }) {
  const t = useTermsText()
  const terms = useQuery(ownTerms).data?.terms
  const [busy, setBusy] = useState(false)
  if (!terms) return null
  const { version, url, text } = terms
  const accept = () => {
    setBusy(true)
    return acceptTerms(version)
      .then(() => {
        notify.done(t('done'))
        onClose()
      }, notify.failed)
      .finally(() => setBusy(false))
  }
  return (
    <Dialog title={t('title')} onClose={onClose}>
      <Stack gap={12}>
        <Text size="sm">{t('ask', { version })}</Text>
        {url && (
          <a className={classes.link} href={url} target="_blank" rel="noreferrer">
            {t('read')}
          </a>
        )}
        {text && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a text that scrolls is reached by keyboard
          <section className={classes.text} tabIndex={0} aria-label={t('text')}>
            {text}
          </section>
        )}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}>
            {t('later')}
          </Button>
          <Button loading={busy} onClick={() => void accept()}>
            {t('accept')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
