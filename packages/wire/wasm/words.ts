/** The words of JSON (RFC 8259, section 3) as four bytes are loaded: the first one is the lowest. `FALS` lacks its `e`. */
export const TRUE: u32 = 0x65757274;
export const NULL: u32 = 0x6c6c756e;
export const FALS: u32 = 0x736c6166;
