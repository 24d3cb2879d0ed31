import { LOGO_BYTES, logoTypes } from '@balcao/contract/companies.ts'
import { Button, FileButton, Group, Input } from '@mantine/core'
import { useState } from 'react'
import { addressOfBytes } from '../../platform/bytes.ts'
import { CompanyLogo } from '../../shell/company-logo.tsx'
import { useCompanyText } from './companies.text.ts'
import classes from './settings.module.css'

/** The logo that is kept, empty for none, or the picture that is to become it. */
export interface LogoChoice {
  url: string
  file: File | null
}

/** Preview of the company's logo in the top bar; it is saved with the form. */
export function LogoField({ logo, onChange }: { logo: LogoChoice; onChange(logo: LogoChoice): void }) {
  const t = useCompanyText()
  const [wrong, setWrong] = useState<string | null>(null)
  function choose(file: File | null) {
    if (!file) return
    const problem = !logoTypes.includes(file.type)
      ? t('logoKind')
      : file.size > LOGO_BYTES
        ? t('logoSize')
        : null
    setWrong(problem)
    if (!problem) onChange({ ...logo, file })
  }
  return (
    <Input.Wrapper label={t('logo')} labelElement="div" description={t('logoHint')} error={wrong}>
      <Group gap={12} mt={6}>
        <span className={classes.logo}>
          {logo.file ? (
            <img src={addressOfBytes(logo.file)} alt={logo.file.name} className={classes.picture} />
          ) : (
            <CompanyLogo logoUrl={logo.url} className={classes.picture} />
          )}
        </span>
        <FileButton accept={logoTypes.join(',')} onChange={choose}>
          {props => (
            <Button variant="default" {...props}>
              {t('chooseLogo')}
            </Button>
          )}
        </FileButton>
        {(logo.url || logo.file) && (
          <Button variant="subtle" onClick={() => onChange({ url: '', file: null })}>
            {t('removeLogo')}
          </Button>
        )}
      </Group>
    </Input.Wrapper>
  )
}
