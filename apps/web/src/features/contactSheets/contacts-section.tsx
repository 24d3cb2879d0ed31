import { Button, Text } from '@mantine/core'
import { IconDownload, IconUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { useMay } from '../../platform/session.tsx'
import { soon } from '../../ui/soon.tsx'
import { exported, saveMade, template } from './contactSheets.api.ts'
import classes from './contactSheets.module.css'
import { useSheetText } from './contactSheets.text.ts'

const ImportDialog = soon(() => import('./import.dialog.tsx'))

/** The contacts of a company as a file, out and in: a section of the settings. */
export function ContactsSection({ className, headClass }: { className?: string; headClass?: string }) {
  const t = useSheetText()
  const admin = useMay('admin')
  const mayImport = useMay('contacts:import')
  const [importing, setImporting] = useState(false)
  const save = (format: 'xlsx' | 'csv') => void saveMade(exported(format), `contatos.${format}`)
  if (!admin && !mayImport) return null
  return (
    <section className={className}>
      <h2 className={headClass}>{t('contacts')}</h2>
      <Text size="sm" c="dimmed" mb={12}>
        {t('exportHint')}
      </Text>
      <div className={classes.actions}>
        {admin && (
          <>
            <Button variant="default" leftSection={<IconDownload size={16} />} onClick={() => save('xlsx')}>
              {t('exportXlsx')}
            </Button>
            <Button variant="default" leftSection={<IconDownload size={16} />} onClick={() => save('csv')}>
              {t('exportCsv')}
            </Button>
          </>
        )}
        {mayImport && (
          <>
            <Button
              variant="default"
              leftSection={<IconDownload size={16} />}
              onClick={() => void saveMade(template, 'modelo-contatos.xlsx')}
            >
              {t('template')}
            </Button>
            <Button
              variant="default"
              leftSection={<IconUpload size={16} />}
              onClick={() => setImporting(true)}
            >
              {t('import')}
            </Button>
          </>
        )}
      </div>
      {importing && <ImportDialog onClose={() => setImporting(false)} />}
    </section>
  )
}
