import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'
import { foldedOptions } from './folded-options.ts'

/** Mantine requires ten shades; ours are one token, so that a theme changes by CSS alone. */
const token = (name: string): MantineColorsTuple => {
  const shade = `var(--${name})`
  return [shade, shade, shade, shade, shade, shade, shade, shade, shade, shade]
}

export const theme = createTheme({
  primaryColor: 'primary',
  colors: {
    primary: token('primary'),
    error: token('error'),
    warning: token('warning'),
    info: token('info'),
    success: token('success'),
  },
  fontFamily: 'var(--sans)',
  fontFamilyMonospace: 'var(--mono)',
  defaultRadius: 8,
  cursorType: 'pointer',
  respectReducedMotion: true,
  autoContrast: false,
  focusRing: 'auto',
  components: {
    Modal: {
      defaultProps: {
        centered: true,
        radius: 14,
        overlayProps: { color: 'var(--scrim)', backgroundOpacity: 1 },
        transitionProps: { duration: 160 },
      },
    },
    Menu: {
      defaultProps: {
        radius: 10,
        shadow: 'none',
        transitionProps: { duration: 140 },
        // an element that is no entry is invalid in a menu
        withInitialFocusPlaceholder: false,
      },
    },
    Select: { defaultProps: { filter: foldedOptions } },
    MultiSelect: { defaultProps: { filter: foldedOptions } },
    Autocomplete: { defaultProps: { filter: foldedOptions } },
    Popover: { defaultProps: { radius: 10, shadow: 'none' } },
  },
})

const same = {
  '--mantine-color-body': 'var(--bg-surface)',
  '--mantine-color-text': 'var(--text-1)',
  '--mantine-color-dimmed': 'var(--text-2)',
  '--mantine-color-placeholder': 'var(--text-3)',
  '--mantine-color-default': 'var(--bg-surface)',
  '--mantine-color-default-hover': 'var(--bg-hover)',
  '--mantine-color-default-color': 'var(--text-1)',
  '--mantine-color-default-border': 'var(--border)',
  '--mantine-color-error': 'var(--error)',
  '--mantine-color-anchor': 'var(--primary-text)',
  '--mantine-color-disabled': 'var(--bg-sunken)',
  '--mantine-color-disabled-color': 'var(--text-3)',
  '--mantine-color-disabled-border': 'var(--border)',
  '--mantine-color-primary-filled': 'var(--primary)',
  '--mantine-color-primary-filled-hover': 'color-mix(in srgb, var(--primary), var(--text-1) 12%)',
  '--mantine-color-primary-light': 'var(--bg-selected)',
  '--mantine-color-primary-light-hover': 'var(--bg-selected)',
  '--mantine-color-primary-light-color': 'var(--primary-text)',
  '--mantine-color-primary-outline': 'var(--primary-text)',
  '--mantine-primary-color-contrast': 'var(--primary-on)',
  '--mantine-color-error-filled': 'var(--error)',
  '--mantine-font-size-sm': '0.8438rem',
}

export const resolver: CSSVariablesResolver = () => ({ variables: same, light: same, dark: same })
