import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { texts } from '../../platform/text.ts'
import { Dialog } from '../dialog.tsx'

const useText = texts({
  title: [
    'Isto foi excluído enquanto você editava',
    'This was deleted while you were editing',
    'Esto fue eliminado mientras usted editaba',
  ],
  hint: [
    'Não pode mais ser salvo. Copie o que você escreveu antes de fechar.',
    'It cannot be saved any more. Copy what you wrote before you close.',
    'Ya no se puede guardar. Copie lo que escribió antes de cerrar.',
  ],
  words: ['O que você escreveu', 'What you wrote', 'Lo que escribió'],
  copy: ['Copiar', 'Copy', 'Copiar'],
  copied: ['Copiado', 'Copied', 'Copiado'],
  close: ['Fechar sem salvar', 'Close without saving', 'Cerrar sin guardar'],
})

interface Props {
  words: string
  /** Closes the form too. */
  onDone(): void
  onClose(): void
}

/** The row of a form is gone: what was written can be copied. */
export function GoneMeanwhile({ words, onDone, onClose }: Props) {
  const t = useText()
  const [isCopied, setCopied] = useState(false)
  // pages without https have no clipboard: the text can be selected instead
  const copy = () =>
    void navigator.clipboard?.writeText(words).then(
      () => setCopied(true),
      () => {},
    )
  return (
    <Dialog title={t('title')} onClose={onClose}>
      <Stack gap={12}>
        <Text size="sm">{t('hint')}</Text>
        <Textarea label={t('words')} readOnly autosize minRows={3} maxRows={10} value={words} />
      </Stack>
      <Group justify="flex-end" gap={8} mt={20}>
        <Button variant="subtle" onClick={onDone}>
          {t('close')}
        </Button>
        <Button data-autofocus onClick={copy}>
          {t(isCopied ? 'copied' : 'copy')}
        </Button>
      </Group>
    </Dialog>
  )
}
