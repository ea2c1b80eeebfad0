"""Seeds of a store on a server: encrypted, their keys and the rotation of these."""
